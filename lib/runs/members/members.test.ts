import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listAudit } from '#lib/db/list-audit.ts';
import { insertMember } from '#lib/db/member-accounts.ts';
import { listMembers } from '#lib/db/members.ts';
import { useTestDatabase } from '#lib/db/test-database.ts';
import type { Role } from '#lib/reflection/role.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { granted } from '../test-workshop.ts';
import { changeMember } from './change-member.ts';
import { endMemberSessions } from './end-member-sessions.ts';
import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from './own-sessions.ts';
import { renameOneself } from './rename-oneself.ts';

const db = useTestDatabase();
const workshop = () => ({ database: db.database(), now: () => new Date() });

/** A member of the team, as who asks. */
async function member(name: string, role: Role): Promise<Actor & { memberId: string }> {
  const id = randomUUID();
  const email = `${id}@example.org`;
  await insertMember(db.database().pool, { id, name, email, role, passwordHash: 'x', now: new Date() });
  return { id, name, role, memberId: id };
}

async function session(memberId: string, userAgent = 'curl/8.5.0'): Promise<string> {
  const id = randomUUID();
  const now = new Date();
  const data = { id, userId: memberId, token: id, userAgent, ipAddress: '10.0.0.7', createdAt: now, updatedAt: now };
  await db.database().prisma.session.create({ data: { ...data, expiresAt: new Date(now.getTime() + 60_000) } });
  return id;
}

async function latestAct() {
  const { items } = await listAudit(db.database(), {}, { cursor: null, limit: 1 });
  return items[0];
}

async function noMembers() {
  await db.database().pool.query('TRUNCATE members CASCADE');
}

test('the last owner stays owner and enabled; with a second one either may go, also at the same moment', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'editor')];
  for (const change of [{ role: 'viewer' }, { role: 'editor', disabled: false }])
    expect(await changeMember(workshop(), bob, ada.id, change)).toMatchObject({
      ok: false,
      problem: { code: 'conflict' },
    });
  expect(await changeMember(workshop(), bob, ada.id, { disabled: true })).toMatchObject({
    problem: { code: 'conflict', field: 'disabled' },
  });
  expect(granted(await changeMember(workshop(), ada, bob.id, { role: 'owner' })).isLastOwner).toBe(false);
  expect(await latestAct()).toMatchObject({ act: 'changed_role', change: { before: 'editor', after: 'owner' } });
  const both = await Promise.all([
    changeMember(workshop(), ada, bob.id, { role: 'viewer' }),
    changeMember(workshop(), bob, ada.id, { role: 'viewer' }),
  ]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  const left = await listMembers(db.database(), new Date());
  expect(left.filter(({ isLastOwner }) => isLastOwner)).toHaveLength(1);
});

test('a disabled owner does not count; nobody disables themselves', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'owner')];
  expect(await changeMember(workshop(), ada, ada.id, { disabled: true })).toMatchObject({
    problem: { field: 'disabled' },
  });
  granted(await changeMember(workshop(), ada, bob.id, { disabled: true }));
  expect(await changeMember(workshop(), ada, ada.id, { role: 'editor' })).toMatchObject({ ok: false });
  granted(await changeMember(workshop(), ada, bob.id, { disabled: false }));
  granted(await changeMember(workshop(), ada, ada.id, { role: 'editor' }));
});

test('who is disabled is signed out everywhere', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'editor')];
  await session(bob.id);
  await session(bob.id);
  const own = await session(ada.id);
  const disabled = granted(await changeMember(workshop(), ada, bob.id, { disabled: true }));
  expect(disabled).toMatchObject({ sessions: 0, disabledAt: expect.any(String) });
  expect(await latestAct()).toMatchObject({ act: 'disabled', change: { sessionsEnded: 2 } });
  expect(granted(await listOwnSessions(workshop(), { ...ada, sessionId: own })).items).toMatchObject([
    { id: own, isThis: true, device: 'curl', address: '10.0.0.7' },
  ]);
});

test('one ends one’s own sessions and nobody else’s; an owner ends all of a member', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'viewer')];
  const [here, there] = [await session(bob.id), await session(bob.id)];
  await session(bob.id);
  const adas = await session(ada.id);
  const asBob = { ...bob, sessionId: here };
  expect(await revokeOwnSession(workshop(), asBob, adas)).toMatchObject({ ok: false, problem: { code: 'not_found' } });
  expect(granted(await revokeOwnSession(workshop(), asBob, there))).toEqual({ ended: 1 });
  expect(granted(await revokeOtherSessions(workshop(), asBob))).toEqual({ ended: 1 });
  expect(granted(await listOwnSessions(workshop(), asBob)).items.map(({ id }) => id)).toEqual([here]);
  expect(granted(await endMemberSessions(workshop(), ada, bob.id))).toEqual({ ended: 1 });
  expect(granted(await listOwnSessions(workshop(), asBob)).items).toEqual([]);
});

test.each([
  ['taken, in another case', 'aDA'],
  ['kept for the local owner', 'you'],
  ['like that of a program', 'nightly (API token)'],
  ['blank', ' \u200b '],
  ['too long', 'x'.repeat(81)],
])('a name that is %s is refused', async (_what, name) => {
  await noMembers();
  await member('Ada', 'owner');
  const bob = await member('Bob', 'viewer');
  expect(await renameOneself(workshop(), bob, { name })).toMatchObject({ ok: false, problem: { field: 'name' } });
});

test('another name is kept tidy and noted', async () => {
  await noMembers();
  const bob = await member('Bob', 'viewer');
  expect(granted(await renameOneself(workshop(), bob, { name: '  Robert\n  B. ' }))).toEqual({ name: 'Robert B.' });
  expect(await latestAct()).toMatchObject({ act: 'changed', change: { before: 'Bob', after: 'Robert B.' } });
});

test.each([
  ['an unknown role', { role: 'admin' }],
  ['nothing', {}],
  ['something else', { email: 'a@example.org' }],
])('a change to %s is refused', async (_what, change) => {
  const ada = await member(`Ada ${randomUUID()}`, 'owner');
  expect(await changeMember(workshop(), ada, ada.id, change)).toMatchObject({ problem: { code: 'invalid' } });
});

test('in local mode nobody has sessions or a name to change', async () => {
  const you = { id: 'local', name: 'you', role: 'owner' } as const;
  for (const answer of [await listOwnSessions(workshop(), you), await renameOneself(workshop(), you, { name: 'Ada' })])
    expect(answer).toMatchObject({ ok: false, problem: { code: 'conflict' } });
});
