import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listApiTokens } from '#lib/db/api-tokens.ts';
import { insertMember } from '#lib/db/member-accounts.ts';
import { useTestDatabase } from '#lib/db/test-database.ts';
import type { Role } from '#lib/reflection/role.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { granted, testWorkshop } from '../test-workshop.ts';
import { createToken } from './create-token.ts';
import { revokeToken } from './revoke-token.ts';

const db = useTestDatabase();

async function member(role: Role): Promise<Actor & { memberId: string }> {
  const id = randomUUID();
  const account = { id, name: `${role} ${id}`, email: `${id}@example.org`, role, passwordHash: 'x', now: new Date() };
  await insertMember(db.database().pool, account);
  return { id, name: account.name, role, memberId: id };
}

test('a token is its maker’s; others’ are as if they were not there, but for an owner', async () => {
  const workshop = testWorkshop(db.database());
  const [ada, bob, eve] = [await member('owner'), await member('editor'), await member('editor')];
  const token = granted(await createToken(workshop, bob, { name: 'ci', scopes: ['runs:read'] }));
  expect(token.memberId).toBe(bob.id);
  expect((await listApiTokens(db.database(), { memberId: bob.id })).map(({ id }) => id)).toEqual([token.id]);
  expect(await listApiTokens(db.database(), { memberId: eve.id })).toEqual([]);
  expect(await revokeToken(workshop, eve, token.id)).toMatchObject({ ok: false, problem: { code: 'not_found' } });
  const [kept] = await listApiTokens(db.database(), { memberId: bob.id });
  expect(kept?.revokedAt).toBeNull();
  expect(granted(await revokeToken(workshop, ada, token.id)).revokedAt).not.toBeNull();
});

test('a viewer’s token can only read', async () => {
  const workshop = testWorkshop(db.database());
  const viewer = await member('viewer');
  const input = { name: 'x', scopes: ['runs:read', 'runs:write'] };
  expect(await createToken(workshop, viewer, input)).toMatchObject({ problem: { code: 'forbidden', field: 'scopes' } });
  granted(await createToken(workshop, viewer, { ...input, scopes: ['runs:read'] }));
});
