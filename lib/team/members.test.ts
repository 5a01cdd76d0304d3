import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countAssigned, listAssignees } from '#lib/assignments/queries.ts';
import { listAudit } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { createPasswordLink, inviteMember } from '#lib/auth/create-member-links.ts';
import { listInvitations } from '#lib/auth/member-links.ts';
import { insertMember, listMembers } from '#lib/auth/members.ts';
import type { Role } from '#lib/auth/role.ts';
import { assign } from '#lib/inbox/assign.ts';
import { storeLesson } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { changeMember, endMemberSessions } from './change-member.ts';
import { listOwnSessions, renameSelf, revokeOtherSessions, revokeOwnSession } from './own-account.ts';

const db = useTestDatabase();
const context = () => ({ database: db.database(), now: () => new Date() });

/** Creates a member and returns it as an actor. */
async function member(name: string, role: Role): Promise<Actor & { memberId: string }> {
  const id = randomUUID();
  const email = `${id}@example.org`;
  await insertMember(db.database().prisma, { id, name, email, role, passwordHash: 'x', now: new Date() });
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

test('keeps at least one enabled owner, also under concurrent changes', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'editor')];
  for (const change of [{ role: 'viewer' }, { role: 'editor', disabled: false }])
    expect(await changeMember(context(), bob, ada.id, change)).toMatchObject({
      ok: false,
      problem: { code: 'conflict' },
    });
  expect(await changeMember(context(), bob, ada.id, { disabled: true })).toMatchObject({
    problem: { code: 'conflict', field: 'disabled' },
  });
  expect(unwrap(await changeMember(context(), ada, bob.id, { role: 'owner' })).isLastOwner).toBe(false);
  expect(await latestAct()).toMatchObject({ act: 'changed_role', change: { before: 'editor', after: 'owner' } });
  const both = await Promise.all([
    changeMember(context(), ada, bob.id, { role: 'viewer' }),
    changeMember(context(), bob, ada.id, { role: 'viewer' }),
  ]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  const left = await listMembers(db.database(), new Date());
  expect(left.filter(({ isLastOwner }) => isLastOwner)).toHaveLength(1);
});

test('a disabled owner does not count as an owner, and members cannot disable themselves', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'owner')];
  expect(await changeMember(context(), ada, ada.id, { disabled: true })).toMatchObject({
    problem: { field: 'disabled' },
  });
  unwrap(await changeMember(context(), ada, bob.id, { disabled: true }));
  expect(await changeMember(context(), ada, ada.id, { role: 'editor' })).toMatchObject({ ok: false });
  unwrap(await changeMember(context(), ada, bob.id, { disabled: false }));
  unwrap(await changeMember(context(), ada, ada.id, { role: 'editor' }));
});

test('disabling a member ends all of their sessions', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'editor')];
  await session(bob.id);
  await session(bob.id);
  const own = await session(ada.id);
  const disabled = unwrap(await changeMember(context(), ada, bob.id, { disabled: true }));
  expect(disabled).toMatchObject({ sessions: 0, disabledAt: expect.any(String) });
  expect(await latestAct()).toMatchObject({ act: 'disabled', change: { sessionsEnded: 2 } });
  expect(unwrap(await listOwnSessions(context(), { ...ada, sessionId: own })).items).toMatchObject([
    { id: own, isThis: true, device: 'curl', address: '10.0.0.7' },
  ]);
});

describe('open links created by a member', () => {
  /** Creates a link of Ada's, and Bob's: invitations for an owner, an editor and a viewer, and a password link for Ada. */
  async function links() {
    await noMembers();
    const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'owner')];
    const now = new Date();
    const invite = async (by: Actor, role: Role) =>
      unwrap(await inviteMember(db.database(), by, { role, label: role }, now)).id;
    const made = {
      adas: await invite(ada, 'owner'),
      owner: await invite({ ...bob, id: 'token:1', scopes: [] }, 'owner'),
      editor: await invite(bob, 'editor'),
      viewer: await invite(bob, 'viewer'),
      password: unwrap(await createPasswordLink(db.database(), bob, ada.id, now)).id,
    };
    const open = async () => {
      const ids = (await listInvitations(db.database(), new Date())).map(({ id }) => id);
      return Object.entries(made).flatMap(([name, id]) => (ids.includes(id) ? [name] : []));
    };
    expect(await open()).toEqual(Object.keys(made));
    return { ada, bob, open };
  }

  test.each<[Role, string[]]>([
    ['editor', ['adas', 'editor', 'viewer']],
    ['reviewer', ['adas', 'viewer']],
  ])('for people who become %s keep only links up to that role', async (role, left) => {
    const { ada, bob, open } = await links();
    const changed = unwrap(await changeMember(context(), ada, bob.id, { role }));
    expect(await open()).toEqual(left);
    expect(changed.linksWithdrawn).toBe(5 - left.length);
    expect(await latestAct()).toMatchObject({ act: 'changed_role', change: { linksWithdrawn: 5 - left.length } });
    unwrap(await changeMember(context(), ada, bob.id, { role: 'viewer' }));
    expect(await open()).toEqual(['adas', 'viewer']);
    unwrap(await changeMember(context(), ada, bob.id, { role: 'owner' }));
    expect((await latestAct())?.change).toEqual({ before: 'viewer', after: 'owner' });
  });

  test.each([{ role: 'editor' }, { disabled: true }])(
    'cannot be created by an owner whose access changed to %j',
    async (change) => {
      const { ada, bob, open } = await links();
      unwrap(await changeMember(context(), ada, bob.id, change));
      const left = await listInvitations(db.database(), new Date());
      expect(await open()).not.toContain('owner');
      for (const made of [
        await inviteMember(db.database(), bob, { role: 'owner', label: 'Bob again' }, new Date()),
        await createPasswordLink(db.database(), bob, ada.id, new Date()),
      ])
        expect(made).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
      expect(await listInvitations(db.database(), new Date())).toEqual(left);
    },
  );

  test('are all withdrawn when the member is disabled, and no others', async () => {
    const { ada, bob, open } = await links();
    const changed = unwrap(await changeMember(context(), ada, bob.id, { disabled: true }));
    expect([changed.linksWithdrawn, await open()]).toEqual([4, ['adas']]);
    expect(await latestAct()).toMatchObject({ act: 'disabled', change: { sessionsEnded: 0, linksWithdrawn: 4 } });
    expect(unwrap(await changeMember(context(), ada, bob.id, { disabled: false })).linksWithdrawn).toBe(0);
    expect(await open()).toEqual(['adas']);
  });
});

test('a member who can no longer decide loses their assignments', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'editor')];
  const ids = [await quarantinedLesson(), await quarantinedLesson()];
  for (const id of ids)
    for (const who of [ada, bob])
      unwrap(await assign(testContext(db.database()), ada, { kind: 'lesson', id }, { memberId: who.id }));
  const asked = async (id = '') => (await listAssignees(db.database(), { kind: 'lesson', id })).map(({ name }) => name);
  expect(unwrap(await changeMember(context(), ada, bob.id, { role: 'reviewer' })).assignmentsTaken).toBe(0);
  expect(await asked(ids[0])).toEqual(['Ada', 'Bob']);
  expect(unwrap(await changeMember(context(), ada, bob.id, { role: 'viewer' })).assignmentsTaken).toBe(2);
  expect(await latestAct()).toMatchObject({ act: 'changed_role', change: { assignmentsTaken: 2 } });
  expect([await asked(ids[0]), await asked(ids[1])]).toEqual([['Ada'], ['Ada']]);
  expect(await countAssigned(db.database(), bob.id)).toEqual({ runs: 0, lessons: 0 });
});

const quarantinedLesson = () => storeLesson(db.database(), { status: 'quarantined', admission: 'admitted' });

test('a member ends only their own sessions; an owner ends all sessions of a member', async () => {
  await noMembers();
  const [ada, bob] = [await member('Ada', 'owner'), await member('Bob', 'viewer')];
  const [here, there] = [await session(bob.id), await session(bob.id)];
  await session(bob.id);
  const adas = await session(ada.id);
  const asBob = { ...bob, sessionId: here };
  expect(await revokeOwnSession(context(), asBob, adas)).toMatchObject({ ok: false, problem: { code: 'not_found' } });
  expect(unwrap(await revokeOwnSession(context(), asBob, there))).toEqual({ ended: 1 });
  expect(unwrap(await revokeOtherSessions(context(), asBob))).toEqual({ ended: 1 });
  expect(unwrap(await listOwnSessions(context(), asBob)).items.map(({ id }) => id)).toEqual([here]);
  expect(unwrap(await endMemberSessions(context(), ada, bob.id))).toEqual({ ended: 1 });
  expect(unwrap(await listOwnSessions(context(), asBob)).items).toEqual([]);
});

test.each([
  ['in use with another case', 'aDA'],
  ['reserved for the local owner', 'you'],
  ['like that of an API token', 'nightly (API token)'],
  ['blank', ' \u200b '],
  ['too long', 'x'.repeat(81)],
])('rejects a name that is %s', async (_what, name) => {
  await noMembers();
  await member('Ada', 'owner');
  const bob = await member('Bob', 'viewer');
  expect(await renameSelf(context(), bob, { name })).toMatchObject({ ok: false, problem: { field: 'name' } });
});

test('trims a new name and records the change', async () => {
  await noMembers();
  const bob = await member('Bob', 'viewer');
  expect(unwrap(await renameSelf(context(), bob, { name: '  Robert\n  B. ' }))).toEqual({ name: 'Robert B.' });
  expect(await latestAct()).toMatchObject({ act: 'changed', change: { before: 'Bob', after: 'Robert B.' } });
});

test.each([
  ['an unknown role', { role: 'admin' }],
  ['no change', {}],
  ['an unknown field', { email: 'a@example.org' }],
])('rejects a change to %s', async (_what, change) => {
  const ada = await member(`Ada ${randomUUID()}`, 'owner');
  expect(await changeMember(context(), ada, ada.id, change)).toMatchObject({ problem: { code: 'invalid' } });
});

test('local mode has no sessions and no name to change', async () => {
  const you = { id: 'local', name: 'you', role: 'owner' } as const;
  for (const answer of [await listOwnSessions(context(), you), await renameSelf(context(), you, { name: 'Ada' })])
    expect(answer).toMatchObject({ ok: false, problem: { code: 'conflict' } });
});
