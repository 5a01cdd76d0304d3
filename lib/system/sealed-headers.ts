import { z } from 'zod';
import { lastFourOf, sealKey, unsealKey } from './sealed-key.ts';

/** A header for display: its name, and the last four characters of its value if that is long enough to stay secret. */
export const shownHeaderSchema = z.object({ name: z.string(), lastFour: z.string().nullable() });
type ShownHeader = z.infer<typeof shownHeaderSchema>;

/** Headers in stored form. */
type SealedHeaders = { sealedHeaders: string | null; headerNames: ShownHeader[] };

/** Headers reserved for the protocol or the connection. */
const NOT_OWN =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|te|trailer|upgrade|keep-alive|accept|mcp-.*|last-event-id|proxy-.*)$/i;
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i;
const MAX_HEADERS = 20;

/** Custom headers added to all requests to a server, by name. */
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
    if (names.length > MAX_HEADERS) refuse(`must contain at most ${MAX_HEADERS} headers`);
    for (const name of names)
      if (!HEADER_NAME.test(name)) refuse('must have a name of letters, digits and dashes', [name]);
      else if (NOT_OWN.test(name)) refuse('must not be set, because the protocol sets it', [name]);
  });

/**
 * Encrypts headers for the database. Returns them with their names and the last four characters of long values. They can only be decrypted
 * for the same `owner`.
 */
export function sealHeaders(secret: Buffer, owner: string, headers: Record<string, string>): SealedHeaders {
  const entries = Object.entries(headers);
  return {
    sealedHeaders: entries.length === 0 ? null : sealKey(secret, owner, JSON.stringify(headers)),
    headerNames: entries.map(([name, value]) => ({ name, lastFour: lastFourOf(value) })),
  };
}

/** Returns the decrypted headers of an owner. Null if they were encrypted with another key of the installation. */
export function unsealHeaders(secret: Buffer, owner: string, sealed: string | null): Record<string, string> | null {
  if (sealed === null) return {};
  const opened = unsealKey(secret, owner, sealed);
  return opened === null ? null : z.record(z.string(), z.string()).parse(JSON.parse(opened));
}
