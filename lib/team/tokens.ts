import { z } from 'zod';
import { type Actor, TOKEN_SCOPES } from '#lib/auth/actor.ts';
import type { ApiToken } from '#lib/auth/api-token.ts';
import { hashToken, insertApiToken, makeToken, revokeApiToken } from '#lib/auth/api-tokens.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween, nameSchema, oneOf } from '#lib/core/setting-parts.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { inTurn, openTurns } from '#lib/system/concurrency.ts';

/** Input for a new API token: its name, its scopes, and the number of days until it expires (null: never). */
export const tokenInputSchema = z.strictObject({
  name: nameSchema,
  scopes: z
    .array(oneOf(TOKEN_SCOPES), { error: `must be a list of scopes: ${TOKEN_SCOPES.join(', ')}` })
    .min(1, { error: 'must contain at least one scope' })
    .max(TOKEN_SCOPES.length, { error: 'must not name a scope twice' })
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'must not name a scope twice' }),
  days: integerBetween(1, 3650)
    .nullable()
    .default(90)
    .meta({ description: 'Days until the token expires. Null: never.' }),
});

/** Maximum number of tokens, so that the list stays readable. Members have separate limits, so that one cannot use up those of others. */
const MAX_MEMBER_TOKENS = 50;
const MAX_LOCAL_TOKENS = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum number of tokens created concurrently. Each creation holds a database connection while it waits for the owner's token count. */
const MAX_CONCURRENT_CREATIONS = 2;
const adding = openTurns();

export type MadeToken = ApiToken & { token: string };

/**
 * Creates an API token that belongs to the actor and never has more permissions than the actor. The response contains its text, which
 * cannot be shown again, because only its hash is stored.
 */
export async function createToken(context: AppContext, actor: Actor, input: unknown): Promise<Result<MadeToken>> {
  const parsed = parseInput(tokenInputSchema, input);
  if (!parsed.ok) return parsed;
  const { name, scopes, days } = parsed.value;
  if (actor.role === 'viewer' && scopes.some((scope) => scope.endsWith(':write')))
    return fail('forbidden', 'You are a viewer: your tokens can only read.', 'scopes');
  const now = context.now();
  const memberId = actor.memberId ?? null;
  const most = memberId === null ? MAX_LOCAL_TOKENS : MAX_MEMBER_TOKENS;
  const token = makeToken();
  const stored = {
    id: context.newId(),
    name,
    lastFour: token.slice(-4),
    scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
    createdBy: actor.name,
    memberId,
    createdAt: now.toISOString(),
    expiresAt: days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString(),
  };
  const add = () =>
    context.database.prisma.$transaction(async (transaction) => {
      // The count stays correct while a token is added.
      await lockUntilCommit(transaction, `tokens of ${memberId}`);
      const isValid = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
      if ((await transaction.apiToken.count({ where: { memberId, ...isValid } })) >= most) return false;
      await insertApiToken(transaction, { ...stored, hash: hashToken(token) });
      await recordChange(transaction, actor, {
        act: 'created',
        subject: { kind: 'token', id: stored.id, name },
        change: { endsIn: stored.lastFour, scopes: stored.scopes.join(', '), expiresAt: stored.expiresAt },
      });
      return true;
    });
  const isAdded = await inTurn(adding, MAX_CONCURRENT_CREATIONS, add);
  if (!isAdded)
    return fail(
      'conflict',
      `You have ${most} valid API tokens, the maximum. Revoke one that you don’t need, then create this one.`,
    );
  return succeed({ ...stored, lastUsedAt: null, revokedAt: null, token });
}

/** Revokes an API token: one's own, or any token if the actor is an owner. Has no effect on a revoked token. */
export async function revokeToken(context: AppContext, actor: Actor, id: string): Promise<Result<ApiToken>> {
  const whose = actor.role === 'owner' || actor.memberId === undefined ? {} : { memberId: actor.memberId };
  return context.database.prisma.$transaction(async (transaction): Promise<Result<ApiToken>> => {
    const revoked = await revokeApiToken(transaction, id, context.now(), whose);
    if (revoked === null) return fail('not_found', 'There is no API token with this id.');
    const { token, isChanged } = revoked;
    if (isChanged)
      await recordChange(transaction, actor, {
        act: 'revoked',
        subject: { kind: 'token', id, name: token.name },
        change: { endsIn: token.lastFour },
      });
    return succeed(token);
  });
}
