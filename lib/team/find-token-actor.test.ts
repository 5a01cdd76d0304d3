import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findApiToken, insertApiToken, listApiTokens, revokeApiToken } from '#lib/db/api-tokens.ts';
import { useTestDatabase } from '#lib/db/test-database.ts';
import type { TokenScope } from '#lib/reflection/api-token.ts';
import { ENTRIES } from './entries.ts';
import { findTokenActor } from './find-token-actor.ts';
import { hashToken, makeToken } from './token-secret.ts';

const { database } = useTestDatabase();
const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function madeToken(scopes: TokenScope[], expiresAt: Date | null = null) {
  const token = makeToken();
  const id = randomUUID();
  await insertApiToken(database(), {
    ...{ id, scopes, name: 'nightly', lastFour: token.slice(-4), createdBy: 'you', createdAt: NOW.toISOString() },
    expiresAt: expiresAt?.toISOString() ?? null,
    hash: hashToken(token),
  });
  return { id, token };
}

function enter(token: string, name: string, at = NOW) {
  const entry = ENTRIES.find((listed) => listed.name === name);
  if (entry === undefined) throw new Error(`there is no entry ${name}`);
  return findTokenActor(database(), token, entry, at);
}

describe('a token', () => {
  test('lets a program in by its name, and its use is noted once a minute', async () => {
    const { id, token } = await madeToken(['runs:read', 'runs:write']);
    expect(await enter(token, 'POST /api/v1/experiments')).toEqual({
      id: `token:${id}`,
      name: 'nightly (API token)',
      role: 'editor',
      scopes: ['runs:read', 'runs:write'],
    });
    await enter(token, 'GET /api/v1/runs', later(59));
    expect(await findApiToken(database(), hashToken(token))).toMatchObject({ lastUsedAt: NOW.toISOString() });
    await enter(token, 'GET /api/v1/runs', later(60));
    expect(await findApiToken(database(), hashToken(token))).toMatchObject({ lastUsedAt: later(60).toISOString() });
  });

  test.each<[string, TokenScope[], string, string]>([
    ['the wrong scope', ['lessons:read'], 'GET /api/v1/runs', 'scope runs:read'],
    ['reading alone', ['lessons:read', 'runs:read'], 'POST /api/v1/lessons', 'scope lessons:write'],
    ['one of two scopes', ['lessons:write'], 'POST /api/v1/lessons/{id}/trials', 'scope runs:write'],
    ['what an owner does', ['runs:read', 'runs:write'], 'POST /api/v1/providers', 'role owner'],
    ['making more tokens', ['runs:read', 'runs:write'], 'POST /api/v1/tokens', 'role owner'],
    [
      'opening the gate of lessons',
      ['lessons:read', 'lessons:write', 'runs:read', 'runs:write'],
      'POST /api/v1/lessons/{id}/reviews',
      'for people',
    ],
  ])('is refused for %s', async (_name, scopes, name, words) => {
    const { token } = await madeToken(scopes);
    await expect(enter(token, name)).rejects.toMatchObject({ status: 403, message: expect.stringContaining(words) });
    expect(await findApiToken(database(), hashToken(token))).toMatchObject({ lastUsedAt: null });
  });

  test('that was never made, has ended or was revoked is refused in the same words', async () => {
    const ended = await madeToken(['runs:read'], later(60));
    const revoked = await madeToken(['runs:read']);
    await enter(ended.token, 'GET /api/v1/runs', later(59));
    await enter(revoked.token, 'GET /api/v1/runs');
    await revokeApiToken(database(), revoked.id, NOW);
    const refusals = await Promise.all(
      [ended.token, revoked.token, makeToken(), ''].map((token) =>
        enter(token, 'GET /api/v1/runs', later(60)).catch((error: unknown) => String(error)),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set([expect.stringContaining('unknown, has ended or was revoked')]));
    await revokeApiToken(database(), revoked.id, later(600));
    expect((await listApiTokens(database())).find(({ id }) => id === revoked.id)?.revokedAt).toBe(NOW.toISOString());
  });

  test('is kept as its hash alone', async () => {
    const { token } = await madeToken(['runs:read']);
    const { rows } = await database().pool.query<{ line: string }>('SELECT t::text AS line FROM api_tokens t');
    expect(rows.some(({ line }) => line.includes(hashToken(token)))).toBe(true);
    expect(rows.every(({ line }) => !line.includes(token.slice(5)))).toBe(true);
  });
});
