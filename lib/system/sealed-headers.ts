import { z } from 'zod';
import { headersSchema } from '#lib/core/model-settings.ts';
import { lastFourOf, sealKey, unsealKey } from './sealed-key.ts';

/** A header for display: its name, and the last four characters of its value if that is long enough to stay secret. */
export const shownHeaderSchema = z.object({ name: z.string(), lastFour: z.string().nullable() });
type ShownHeader = z.infer<typeof shownHeaderSchema>;

type SealedHeaders = { sealedHeaders: string | null; headerNames: ShownHeader[] };

/** Headers reserved for the protocol or the connection. */
const NOT_OWN =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|te|trailer|upgrade|keep-alive|accept|mcp-.*|last-event-id|proxy-.*)$/i;

/** Custom headers added to all requests to a server, by name. */
export const addedHeadersSchema = headersSchema(
  z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]{1,4000}$/, { error: 'must be 1 to 4,000 plain characters in one line' }),
  {
    allowed: /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i,
    reserved: NOT_OWN,
    message: 'must not be set, because the protocol sets it',
  },
);

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
