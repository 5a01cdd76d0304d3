import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { TokenScope } from '#lib/auth/actor.ts';
import { hashToken, makeToken } from '#lib/auth/api-tokens.ts';

/** Inserts an API token of a member and returns it. `state`: valid, revoked or expired. */
export async function stageToken(
  database: Pick<pg.Pool, 'query'>,
  memberId: string,
  scopes: readonly TokenScope[],
  state: 'holds' | 'revoked' | 'ended' = 'holds',
): Promise<string> {
  const token = makeToken();
  await database.query(
    `INSERT INTO api_tokens (id, name, hash, last_four, scopes, created_by, member_id, created_at, expires_at, revoked_at)
     VALUES ($1, 'of the matrix', $2, $3, $4, 'The matrix', $5, now() - interval '2 days',
       CASE WHEN $6 = 'ended' THEN now() - interval '1 day' END, CASE WHEN $6 = 'revoked' THEN now() END)`,
    [randomUUID(), hashToken(token), token.slice(-4), scopes, memberId, state],
  );
  return token;
}
