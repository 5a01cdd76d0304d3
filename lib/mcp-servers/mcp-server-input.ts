import { z } from 'zod';
import { integerBetween } from '#lib/core/setting-parts.ts';

/** Headers that belong to the protocol, or to the connection. */
const NOT_OWN =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|te|trailer|upgrade|keep-alive|accept|mcp-.*|last-event-id|proxy-.*)$/i;
const MOST_HEADERS = 20;

const headers = z
  .record(
    z
      .string()
      .regex(/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i, { error: 'must have names of letters, digits and dashes' })
      .refine((name) => !NOT_OWN.test(name), { error: 'must not hold a header that the protocol sets itself' }),
    z
      .string()
      .trim()
      .regex(/^[\x20-\x7e]{1,4000}$/, { error: 'must be 1 to 4,000 plain characters in one line' }),
  )
  .refine((given) => Object.keys(given).length <= MOST_HEADERS, { error: `must hold at most ${MOST_HEADERS} headers` });

const url = z
  .string({ error: 'must be an address such as https://example.com/mcp' })
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(2_000, { error: 'must be at most 2,000 characters' })
  .refine((text) => !URL.canParse(text) || (new URL(text).search === '' && new URL(text).hash === ''), {
    error: 'must not hold a query: what it stands for may be a key, which a header keeps sealed',
  });
const command = z.string().trim().min(1, { error: 'must name a program of HONE_MCP_COMMANDS' }).max(30);
const timeoutMs = integerBetween(1_000, 120_000);

/** It begins the names of its tools, which may be 64 characters long; without underlines, so that the first two end it. */
const name = z.string({ error: 'must be a text' }).regex(/^[a-z][a-z0-9-]{0,29}$/, {
  error: 'must be 1 to 30 small letters, digits and dashes, and begin with a letter',
});

/** An MCP server as it is added. The values of headers are write-only. */
export const mcpServerInputSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('http'),
      name: name,
      url,
      headers: headers.default({}),
      timeoutMs: timeoutMs.default(30_000),
    }),
    z.strictObject({
      kind: z.literal('stdio'),
      name: name,
      command,
      timeoutMs: timeoutMs.default(30_000),
    }),
  ],
  { error: 'must have a kind: http or stdio' },
);

/** What may be changed of a server; what is left out stays. `headers` are all of them; a changed address drops the old ones. */
export const mcpServerPatchSchema = z.strictObject({
  url: url.optional(),
  command: command.optional(),
  headers: headers.optional(),
  timeoutMs: timeoutMs.optional(),
});
