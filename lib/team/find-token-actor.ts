import { findApiToken, noteTokenUse } from '#lib/db/api-tokens.ts';
import type { Database } from '#lib/db/database.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { Actor } from './authorize.ts';
import type { Entry } from './entries.ts';
import { roleAllows } from './role.ts';
import { scopesFor } from './scopes-for.ts';
import { hashToken } from './token-secret.ts';

/**
 * The program that an API token stands for, where it may enter by this door; throws AuthorizationError where it may not. `token` as
 * `bearerToken` reads it. One that was never made, has ended or was revoked is refused in the same words, so that they tell nothing.
 */
export async function findTokenActor(
  database: Pick<Database, 'prisma'>,
  token: string,
  entry: Entry,
  now: Date,
): Promise<Actor> {
  const found = token === '' ? null : await findApiToken(database, hashToken(token));
  const holds =
    found !== null &&
    found.revokedAt === null &&
    (found.expiresAt === null || Date.parse(found.expiresAt) > now.getTime());
  if (!holds)
    throw new AuthorizationError(401, 'This API token is unknown, has ended or was revoked. Make one under Settings.');
  const { id, name, scopes } = found;
  const role = scopes.some((scope) => scope.endsWith(':write')) ? 'editor' : 'reviewer';
  const needed = scopesFor(entry);
  if (needed === null) throw new AuthorizationError(403, 'This is for people: no API token may do it.');
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw new AuthorizationError(403, `This needs an API token with the scope ${missing.join(' and ')}.`);
  if (!roleAllows(role, entry.role))
    throw new AuthorizationError(403, `This needs the role ${entry.role}, which no API token has with these scopes.`);
  await noteTokenUse(database, found, now);
  return { id: `token:${id}`, name: `${name} (API token)`, role, scopes };
}
