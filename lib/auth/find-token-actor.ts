import { z } from 'zod';
import { countAttemptOf, tooManyAttempts } from '#lib/auth/sign-in/sign-in-limits.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { withIsoTimes } from '#lib/database/query-values.ts';
import type { Actor, Entry } from './actor.ts';
import { findApiToken, hashToken } from './api-tokens.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { Member } from './member-schema.ts';
import { recordRefusal } from './refusals.ts';
import { lowerRole, ROLES, roleAllows } from './role.ts';

/** Current state of the member who owns an API token. */
type TokenMember = Pick<Member, 'id' | 'name' | 'role' | 'disabledAt'>;

const roleSchema = z.enum(ROLES);

/** The use of a token is recorded at most this often, in milliseconds. */
const USE_STEP_MS = 60_000;

/** Returns the member who owns the token. Null if it was created in local mode. */
async function findTokenMember({ prisma }: DatabaseClient, tokenId: string): Promise<TokenMember | null> {
  const row = await prisma.apiToken.findUnique({
    where: { id: tokenId },
    select: { member: { select: { id: true, name: true, role: true, disabledAt: true } } },
  });
  const member = row?.member ?? null;
  return member && { ...withIsoTimes(member), role: roleSchema.parse(member.role) };
}

/**
 * Returns the actor for an API token if it grants access to the entry point, otherwise throws AuthorizationError. `token`: as returned by
 * `bearerToken`. Unknown, expired and revoked tokens and those of disabled members get the same error, to reveal nothing. Repeated failures
 * from one address are rate limited. A token never exceeds its member's current role.
 */
export async function findTokenActor(
  database: Pick<Database, 'prisma' | 'pool'>,
  token: string,
  entry: Entry,
  { now, address }: { now: Date; address: string },
): Promise<Actor> {
  const found = token === '' ? null : await findApiToken(database, hashToken(token));
  const member = found === null ? null : await findTokenMember(database, found.id);
  const holds =
    found !== null &&
    found.revokedAt === null &&
    (found.expiresAt === null || Date.parse(found.expiresAt) > now.getTime()) &&
    (member === null || member.disabledAt === null);
  if (!holds) {
    const attempt = await countAttemptOf(database, 'tokens', address, now);
    if (!attempt.isAllowed) {
      const { message, retryAfterSeconds } = tooManyAttempts(attempt.until, now).problem;
      throw new AuthorizationError(429, message, null, retryAfterSeconds);
    }
    throw new AuthorizationError(
      401,
      'This API token is unknown, expired or revoked. Create a new one under Settings.',
    );
  }
  const { id, name, scopes } = found;
  const scoped = scopes.some((scope) => scope.endsWith(':write')) ? 'editor' : 'reviewer';
  const role = member === null ? scoped : lowerRole(scoped, member.role);
  const needed = entry.scopes ?? null;
  if (needed === null) throw new AuthorizationError(403, 'An API token cannot do this. Sign in and do it in the app.');
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw new AuthorizationError(403, `This needs an API token with the scope ${missing.join(' and ')}.`);
  const actor = {
    id: `token:${id}`,
    name: `${name} (API token)`,
    role,
    scopes,
    ...(member && { memberId: member.id }),
  };
  if (!roleAllows(role, entry.role)) {
    await recordRefusal(database, { ...actor, entry: entry.name, address }, entry.role);
    const without = role === scoped ? 'API tokens with these scopes do' : `${member?.name} does`;
    throw new AuthorizationError(403, `This needs the role ${entry.role}. ${without} not have it.`);
  }
  const lastUsed = found.lastUsedAt === null ? 0 : Date.parse(found.lastUsedAt);
  if (now.getTime() - lastUsed >= USE_STEP_MS)
    await database.prisma.apiToken.updateMany({ where: { id }, data: { lastUsedAt: now } });
  return actor;
}
