import { revokeApiToken } from '#lib/db/api-tokens.ts';
import type { ApiToken } from '#lib/reflection/api-token.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from '../workshop.ts';

/** Revokes an API token: from now on it is refused. Doing so again changes nothing. */
export async function revokeToken(workshop: Workshop, _actor: Actor, id: string): Promise<Result<ApiToken>> {
  const revoked = await revokeApiToken(workshop.database, id, workshop.now());
  return revoked === null ? fail('not_found', 'There is no API token with this id.') : succeed(revoked);
}
