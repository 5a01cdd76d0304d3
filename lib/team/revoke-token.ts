import type { ApiToken } from '#lib/auth/api-token.ts';
import { revokeApiToken } from '#lib/auth/api-tokens.ts';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Revokes an API token, one's own or as an owner any: from now on it is refused. Doing so again changes nothing. */
export async function revokeToken(context: AppContext, actor: Actor, id: string): Promise<Result<ApiToken>> {
  const whose = actor.role === 'owner' || actor.memberId === undefined ? {} : { memberId: actor.memberId };
  return context.database.prisma.$transaction(async (transaction): Promise<Result<ApiToken>> => {
    const revoked = await revokeApiToken(transaction, id, context.now(), whose);
    if (revoked === null) return fail('not_found', 'There is no API token with this id.');
    await recordChange(transaction, actor, {
      act: 'revoked',
      subject: { kind: 'token', id, name: revoked.name },
      change: { endsIn: revoked.lastFour },
    });
    return succeed(revoked);
  });
}
