import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Actor } from '#lib/auth/actor.ts';
import { insertApiToken, listApiTokens } from '#lib/auth/api-tokens.ts';
import { insertMember } from '#lib/auth/members.ts';
import { LOCAL_OWNER } from '#lib/auth/mode.ts';
import type { Role } from '#lib/auth/role.ts';
import { testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { createToken, revokeToken } from './tokens.ts';

const db = useTestDatabase();

async function member(role: Role): Promise<Actor & { memberId: string }> {
  const id = randomUUID();
  const account = { id, name: `${role} ${id}`, email: `${id}@example.org`, role, passwordHash: 'x', now: new Date() };
  await insertMember(db.database().prisma, account);
  return { id, name: account.name, role, memberId: id };
}

test('members see only their own tokens, but an owner can revoke any', async () => {
  const context = testContext(db.database());
  const [ada, bob, eve] = [await member('owner'), await member('editor'), await member('editor')];
  const token = unwrap(await createToken(context, bob, { name: 'ci', scopes: ['runs:read'] }));
  expect(token.memberId).toBe(bob.id);
  expect((await listApiTokens(db.database(), { memberId: bob.id })).map(({ id }) => id)).toEqual([token.id]);
  expect(await listApiTokens(db.database(), { memberId: eve.id })).toEqual([]);
  expect(await revokeToken(context, eve, token.id)).toMatchObject({ ok: false, problem: { code: 'not_found' } });
  const [kept] = await listApiTokens(db.database(), { memberId: bob.id });
  expect(kept?.revokedAt).toBeNull();
  expect(unwrap(await revokeToken(context, ada, token.id)).revokedAt).not.toBeNull();
});

test("a viewer's token is read-only", async () => {
  const context = testContext(db.database());
  const viewer = await member('viewer');
  const input = { name: 'x', scopes: ['runs:read', 'runs:write'] };
  expect(await createToken(context, viewer, input)).toMatchObject({ problem: { code: 'forbidden', field: 'scopes' } });
  unwrap(await createToken(context, viewer, { ...input, scopes: ['runs:read'] }));
});

describe('token limit', () => {
  const input = { name: 'one more', scopes: ['runs:read'] };
  const TOO_MANY = (most: number) => ({
    problem: { code: 'conflict', message: expect.stringContaining(`You have ${most} valid API tokens`) },
  });

  /** Adds this many tokens for a member, or for the local owner. */
  async function hold(memberId: string | null, count: number, expiresAt: string | null = null) {
    const made = { name: 'held', lastFour: 'abcd', scopes: ['runs:read'] as const, createdBy: 'x' };
    await db.database().prisma.$transaction(async (transaction) => {
      for (let index = 0; index < count; index += 1)
        await insertApiToken(transaction, {
          ...{ ...made, scopes: [...made.scopes], id: randomUUID(), hash: randomUUID(), memberId, expiresAt },
          createdAt: new Date().toISOString(),
        });
    });
  }

  test('applies to each member separately', async () => {
    const context = testContext(db.database());
    const [ada, bob] = [await member('owner'), await member('viewer')];
    await hold(bob.id, 50);
    expect(await createToken(context, bob, input)).toMatchObject(TOO_MANY(50));
    unwrap(await createToken(context, ada, input));
  });

  test('ignores revoked and expired tokens', async () => {
    const context = testContext(db.database());
    const bob = await member('editor');
    await hold(bob.id, 48);
    await hold(bob.id, 5, new Date(Date.now() - 1000).toISOString());
    await hold(bob.id, 1, new Date(Date.now() + 60_000).toISOString());
    const last = unwrap(await createToken(context, bob, input));
    expect(await createToken(context, bob, input)).toMatchObject(TOO_MANY(50));
    unwrap(await revokeToken(context, bob, last.id));
    unwrap(await createToken(context, bob, input));
  });

  test.each<[string, () => Promise<Actor>, number]>([
    ['a member', () => member('editor'), 50],
    ['the user of local mode', async () => LOCAL_OWNER, 200],
  ])(
    'holds for %s who sends 120 concurrent requests',
    async (_name, asker, most) => {
      const context = testContext(db.database());
      const actor = await asker();
      const memberId = actor.memberId ?? null;
      await db.database().pool.query('DELETE FROM api_tokens WHERE member_id IS NOT DISTINCT FROM $1', [memberId]);
      await hold(memberId, most - 3);
      const made = await Promise.all(Array.from({ length: 120 }, () => createToken(context, actor, input)));
      expect(made.filter(({ ok }) => ok)).toHaveLength(3);
      expect(made.find(({ ok }) => !ok)).toMatchObject(TOO_MANY(most));
    },
    60_000,
  );

  test('is higher for the local owner', async () => {
    const context = testContext(db.database());
    await db.database().pool.query('DELETE FROM api_tokens WHERE member_id IS NULL');
    await hold(null, 199);
    unwrap(await createToken(context, LOCAL_OWNER, input));
    expect(await createToken(context, LOCAL_OWNER, input)).toMatchObject(TOO_MANY(200));
  });
});
