import { z } from 'zod';
import { sealKey, unsealKey } from './sealed-key.ts';

/** A header as people see it: the last four characters of its value, where it is long enough to stay secret. */
export const shownHeaderSchema = z.object({ name: z.string(), lastFour: z.string().nullable() });
type ShownHeader = z.infer<typeof shownHeaderSchema>;

/** Headers as they are stored. */
type SealedHeaders = { sealedHeaders: string | null; headerNames: ShownHeader[] };

/** Headers that belong to the protocol, or to the connection. */
const NOT_OWN =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|te|trailer|upgrade|keep-alive|accept|mcp-.*|last-event-id|proxy-.*)$/i;
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i;
const MOST_HEADERS = 20;

/** Headers that a person adds to all requests to a server, by their names. */
export const addedHeadersSchema = z
  .record(
    z.string(),
    z
      .string()
      .trim()
      .regex(/^[\x20-\x7e]{1,4000}$/, { error: 'must be 1 to 4,000 plain characters in one line' }),
  )
  .superRefine((given, context) => {
    const refuse = (message: string, path: string[] = []) => context.addIssue({ code: 'custom', path, message });
    const names = Object.keys(given);
    if (names.length > MOST_HEADERS) refuse(`must hold at most ${MOST_HEADERS} headers`);
    for (const name of names)
      if (!HEADER_NAME.test(name)) refuse('must have a name of letters, digits and dashes', [name]);
      else if (NOT_OWN.test(name)) refuse('must not be set, because the protocol sets it', [name]);
  });

/**
 * Headers sealed for the database, with their names, and the last four characters of what is long enough to stay secret. `owner` says whose
 * they are: they open for nobody else.
 */
export function sealHeaders(secret: Buffer, owner: string, headers: Record<string, string>): SealedHeaders {
  const entries = Object.entries(headers);
  return {
    sealedHeaders: entries.length === 0 ? null : sealKey(secret, owner, JSON.stringify(headers)),
    headerNames: entries.map(([name, value]) => ({ name, lastFour: value.length >= 12 ? value.slice(-4) : null })),
  };
}

/** The headers of an owner; null when they were sealed with another key of the installation. */
export function unsealHeaders(secret: Buffer, owner: string, sealed: string | null): Record<string, string> | null {
  if (sealed === null) return {};
  const opened = unsealKey(secret, owner, sealed);
  return opened === null ? null : z.record(z.string(), z.string()).parse(JSON.parse(opened));
}
