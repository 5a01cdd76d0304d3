import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countAudit } from '#lib/audit/queries.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import type { Entry, TokenScope } from './actor.ts';
import { findApiToken, hashToken, insertApiToken, listApiTokens, makeToken, revokeApiToken } from './api-tokens.ts';
import { AuthorizationError } from './authorization-error.ts';
import { findTokenActor } from './find-token-actor.ts';
import { insertMember } from './members.ts';
import type { Role } from './role.ts';

const { database } = useTestDatabase();
const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function madeToken(scopes: TokenScope[], expiresAt: Date | null = null, memberId: string | null = null) {
  const token = makeToken();
  const id = randomUUID();
  await insertApiToken(database().prisma, {
    ...{ id, scopes, name: 'nightly', lastFour: token.slice(-4), createdBy: 'you', createdAt: NOW.toISOString() },
    expiresAt: expiresAt?.toISOString() ?? null,
    hash: hashToken(token),
    memberId,
  });
  return { id, token };
}

async function madeMember(role: Role): Promise<string> {
  const id = randomUUID();
  await insertMember(database().prisma, {
    id,
    name: id,
    email: `${id}@team.example`,
    role,
    passwordHash: 'x',
    now: NOW,
  });
  return id;
}

/** Entries with their roles and scopes in the API. */
const ENTRIES: readonly Entry[] = [
  { name: 'GET /api/v1/runs', role: 'viewer', scopes: ['runs:read'] },
  { name: 'POST /api/v1/experiments', role: 'editor', scopes: ['runs:write'] },
  { name: 'POST /api/v1/lessons', role: 'editor', scopes: ['lessons:write'] },
  { name: 'POST /api/v1/lessons/{id}/trials', role: 'editor', scopes: ['lessons:write', 'runs:write'] },
  { name: 'POST /api/v1/lessons/{id}/reviews', role: 'reviewer', scopes: null },
  { name: 'POST /api/v1/providers', role: 'owner', scopes: ['runs:write'] },
  { name: 'POST /api/v1/tokens', role: 'owner', scopes: ['runs:write'] },
];

function enter(token: string, name: string, at = NOW, address = '203.0.113.7') {
  const entry = ENTRIES.find((listed) => listed.name === name);
  if (entry === undefined) throw new Error(`there is no entry ${name}`);
  return findTokenActor(database(), token, entry, { now: at, address });
}

describe('API token', () => {
  test('authenticates a client by token name and records its use once a minute', async () => {
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
    ['a write with read scopes only', ['lessons:read', 'runs:read'], 'POST /api/v1/lessons', 'scope lessons:write'],
    ['one of two scopes', ['lessons:write'], 'POST /api/v1/lessons/{id}/trials', 'scope runs:write'],
    ['an action for owners', ['runs:read', 'runs:write'], 'POST /api/v1/providers', 'role owner'],
    ['creating more tokens', ['runs:read', 'runs:write'], 'POST /api/v1/tokens', 'role owner'],
    [
      'reviewing lessons',
      ['lessons:read', 'lessons:write', 'runs:read', 'runs:write'],
      'POST /api/v1/lessons/{id}/reviews',
      'An API token cannot do this',
    ],
  ])('is rejected for %s', async (_name, scopes, name, words) => {
    const { token } = await madeToken(scopes);
    await expect(enter(token, name)).rejects.toMatchObject({ status: 403, message: expect.stringContaining(words) });
    expect(await findApiToken(database(), hashToken(token))).toMatchObject({ lastUsedAt: null });
  });

  test('returns the same error if unknown, expired or revoked', async () => {
    const ended = await madeToken(['runs:read'], later(60));
    const revoked = await madeToken(['runs:read']);
    await enter(ended.token, 'GET /api/v1/runs', later(59));
    await enter(revoked.token, 'GET /api/v1/runs');
    await revokeApiToken(database().prisma, revoked.id, NOW);
    const refusals = await Promise.all(
      [ended.token, revoked.token, makeToken(), ''].map((token) =>
        enter(token, 'GET /api/v1/runs', later(60)).catch((error: unknown) => String(error)),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set([expect.stringContaining('unknown, expired or revoked')]));
    await revokeApiToken(database().prisma, revoked.id, later(600));
    expect((await listApiTokens(database())).find(({ id }) => id === revoked.id)?.revokedAt).toBe(NOW.toISOString());
  });

  test('is stored only as a hash', async () => {
    const { token } = await madeToken(['runs:read']);
    const { rows } = await database().pool.query<{ line: string }>('SELECT t::text AS line FROM api_tokens t');
    expect(rows.some(({ line }) => line.includes(hashToken(token)))).toBe(true);
    expect(rows.every(({ line }) => !line.includes(token.slice(5)))).toBe(true);
  });
});

describe('token of a member', () => {
  const WRITES: TokenScope[] = ['runs:read', 'runs:write'];

  test.each<[Role, string, Role | null]>([
    ['viewer', 'GET /api/v1/runs', 'viewer'],
    ['viewer', 'POST /api/v1/experiments', null],
    ['reviewer', 'POST /api/v1/experiments', null],
    ['editor', 'POST /api/v1/experiments', 'editor'],
    ['owner', 'POST /api/v1/experiments', 'editor'],
    ['owner', 'POST /api/v1/providers', null],
  ])('of a %s at %s', async (role, name, expected) => {
    const memberId = await madeMember(role);
    const { id, token } = await madeToken(WRITES, null, memberId);
    if (expected !== null)
      expect(await enter(token, name)).toMatchObject({ id: `token:${id}`, memberId, role: expected });
    else await expect(enter(token, name)).rejects.toMatchObject({ status: 403 });
    // A refusal because of the role is audited.
    expect(await countAudit(database(), { actorId: `token:${id}` })).toBe(expected === null ? 1 : 0);
  });

  test('has the member’s current role, and stops working when the member is disabled', async () => {
    const memberId = await madeMember('editor');
    const { token } = await madeToken(WRITES, null, memberId);
    const change = (set: string) => database().pool.query(`UPDATE members SET ${set} WHERE id = $1`, [memberId]);
    await change("role = 'viewer'");
    await expect(enter(token, 'POST /api/v1/experiments')).rejects.toMatchObject({ status: 403 });
    await change('disabled_at = now()');
    await expect(enter(token, 'GET /api/v1/runs')).rejects.toMatchObject({ status: 401 });
    await change("disabled_at = NULL, role = 'editor'");
    expect(await enter(token, 'POST /api/v1/experiments')).toMatchObject({ role: 'editor' });
  });
});

test('wrong tokens from one IP address are rate limited, while valid ones still work', async () => {
  const { token } = await madeToken(['runs:read']);
  const address = '203.0.113.8';
  const wrong = await Promise.all(
    Array.from({ length: 62 }, () =>
      enter(makeToken(), 'GET /api/v1/runs', NOW, address).catch((error: unknown) => error),
    ),
  );
  const statuses = wrong.map((error) => (error instanceof AuthorizationError ? error.status : null));
  expect([401, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([60, 2]);
  expect(await enter(token, 'GET /api/v1/runs', NOW, address)).toMatchObject({ role: 'reviewer' });
  await expect(enter(makeToken(), 'GET /api/v1/runs')).rejects.toMatchObject({ status: 401 });
});
