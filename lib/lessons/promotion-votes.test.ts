import { beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { LOCAL_OWNER } from '#lib/auth/mode.ts';
import type { Role } from '#lib/auth/role.ts';
import { updateTwoPersonReview } from '#lib/settings/two-person-review.ts';
import { testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { addLesson } from './add-lesson.ts';
import { editLesson } from './edit-lesson.ts';
import { findLessonPeople, submitOpinion } from './lesson-people.ts';
import { countReviews } from './lesson-status.ts';
import { listContestedLessons, listLessons } from './queries.ts';
import { reviewLesson } from './review-lesson.ts';
import { deleteAllLessons, storeLesson } from './test-texts/stored-lesson.test-support.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());

const member = (id: string, role: Role) => ({ id, memberId: id, name: id.toUpperCase(), role });
const ADA = member('ada', 'owner');
const BEN = member('ben', 'reviewer');
const CY = member('cy', 'reviewer');
const BENS_TOKEN: Actor = { ...BEN, id: 'token:1', name: 'ci (API token)', scopes: ['lessons:write'] };

beforeEach(async () => {
  const { prisma } = db.database();
  await deleteAllLessons(db.database());
  await prisma.member.deleteMany();
  await prisma.installationSetting.deleteMany({ where: { key: 'two_person_review' } });
  const at = new Date();
  const rows = [ADA, BEN, CY].map(({ id, name, role }) => ({
    ...{ id, name, role, email: `${id}@example.org`, createdAt: at, updatedAt: at },
  }));
  await prisma.member.createMany({ data: rows });
});

const quarantined = () => storeLesson(db.database(), { status: 'quarantined', admission: 'admitted' });
const PROMOTE = { verdict: 'promote', editCount: 0 };
const AGAINST = { verdict: 'reject', reason: 'Too general', editCount: 0 };
const promote = (actor: Actor, id: string, change: object = {}) =>
  reviewLesson(context(), actor, id, { ...PROMOTE, ...change });
const peopleSeenBy = async (actor: Actor, id: string) => unwrap(await findLessonPeople(context(), actor, id));

describe('verdicts as votes', () => {
  test.each([
    { verdict: 'promote', status: 'promoted' },
    { verdict: 'reject', status: 'rejected' },
  ])('counts a verdict to $verdict', async ({ verdict, status }) => {
    const id = await quarantined();
    const given = unwrap(await reviewLesson(context(), BEN, id, { verdict, reason: 'Seen twice', editCount: 0 }));
    expect(given).toEqual({ id, status, admission: 'admitted', pending: null });
    const { opinions } = await peopleSeenBy(CY, id);
    expect(opinions).toMatchObject([{ actor: 'BEN', verdict, reason: 'Seen twice', editCount: 0, isMine: false }]);
  });

  test('keeps the first vote on a text', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), BEN, id, AGAINST));
    expect(unwrap(await promote(BEN, id))).toMatchObject({ status: 'promoted', pending: null });
    expect((await peopleSeenBy(CY, id)).opinions).toMatchObject([{ actor: 'BEN', verdict: 'reject' }]);
  });

  test('stores no vote without a team', async () => {
    const id = await quarantined();
    unwrap(await promote(LOCAL_OWNER, id));
    expect((await peopleSeenBy(LOCAL_OWNER, id)).given).toBe(0);
  });
});

describe('promotion with opposing votes', () => {
  test('stores the vote, reveals the others and waits for confirmation', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), BEN, id, AGAINST));
    expect((await peopleSeenBy(CY, id)).opinions).toBeNull();
    const { pending, status } = unwrap(await promote(CY, id));
    expect(status).toBe('quarantined');
    expect(pending).toMatchObject({
      why: 'objections',
      message: 'BEN voted against it. Confirm to promote it anyway.',
      objections: [{ actor: 'BEN', reason: 'Too general', isMine: false }],
    });
    expect((await peopleSeenBy(CY, id)).opinions).toHaveLength(2);
    const [noted] = (await listAudit(db.database(), {}, { cursor: null, limit: 1 })).items;
    expect(noted).toMatchObject({ act: 'judged', actor: 'CY', subject: { id } });
    expect(unwrap(await promote(CY, id, { objectionsSeen: 1 }))).toMatchObject({ status: 'promoted', pending: null });
  });

  test('waits again if another vote arrived meanwhile', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), BEN, id, AGAINST));
    unwrap(await promote(CY, id));
    unwrap(await submitOpinion(context(), ADA, id, AGAINST));
    expect(unwrap(await promote(CY, id, { objectionsSeen: 1 })).pending?.objections).toHaveLength(2);
  });

  test('counts only votes on the current text', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), BEN, id, AGAINST));
    unwrap(await editLesson(context(), ADA, id, { editCount: 0, text: 'Name the unit of every number, always.' }));
    const edited = await db.database().prisma.lesson.update({
      where: { id },
      data: { status: 'quarantined', admission: 'admitted' },
    });
    expect(edited.id).toBe(id);
    expect(unwrap(await promote(CY, id, { editCount: 1 }))).toMatchObject({ status: 'promoted', pending: null });
  });
});

describe('two-person review', () => {
  beforeEach(async () => {
    unwrap(await updateTwoPersonReview(context(), ADA, { on: true }));
  });

  test('one person cannot promote a lesson, in any way', async () => {
    const id = await quarantined();
    for (const actor of [BEN, BEN, BENS_TOKEN]) {
      const { status, pending } = unwrap(await promote(actor, id));
      expect(status).toBe('quarantined');
      expect(pending).toMatchObject({ why: 'second_person', message: expect.stringContaining('ADA or CY') });
    }
    expect(unwrap(await promote(CY, id))).toMatchObject({ status: 'promoted', pending: null });
  });

  test('a vote for promotion counts as the second person, one against does not', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), BEN, id, AGAINST));
    expect(unwrap(await promote(CY, id, { objectionsSeen: 1 })).pending?.why).toBe('second_person');
    unwrap(await submitOpinion(context(), ADA, id, PROMOTE));
    expect(unwrap(await promote(CY, id, { objectionsSeen: 1 }))).toMatchObject({ status: 'promoted' });
  });

  test('ignores votes on an older text and votes of former reviewers', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), BEN, id, PROMOTE));
    await db.database().prisma.member.update({ where: { id: 'ben' }, data: { role: 'viewer' } });
    expect(unwrap(await promote(CY, id)).pending?.why).toBe('second_person');
  });

  test('rejecting and archiving need one person, and the only reviewer gets a remedy', async () => {
    const [rejected, alone] = [await quarantined(), await quarantined()];
    const reject = { verdict: 'reject', reason: 'no', editCount: 0 };
    expect(unwrap(await reviewLesson(context(), BEN, rejected, reject)).status).toBe('rejected');
    await db.database().prisma.member.deleteMany({ where: { id: { not: 'ben' } } });
    expect(unwrap(await promote(BEN, alone)).pending?.message).toContain('Invite a reviewer');
  });
});

test('the contributor of a lesson sees the votes of others but cannot vote', async () => {
  const { id } = unwrap(await addLesson(context(), BEN, { kind: 'lesson', text: 'Count the cases twice.' }));
  await db.database().prisma.lesson.update({ where: { id }, data: { status: 'quarantined', admission: 'admitted' } });
  unwrap(await submitOpinion(context(), CY, id, PROMOTE));
  expect(await peopleSeenBy(BEN, id)).toMatchObject({ opinions: [{ actor: 'CY' }], mayGive: false });
  expect(await peopleSeenBy(ADA, id)).toMatchObject({ opinions: null, mayGive: true });
});

test('contested lessons have votes for and against their current text', async () => {
  const [contested, agreed, edited] = [await quarantined(), await quarantined(), await quarantined()];
  for (const id of [contested, agreed, edited]) unwrap(await submitOpinion(context(), BEN, id, PROMOTE));
  for (const id of [contested, edited]) unwrap(await submitOpinion(context(), CY, id, AGAINST));
  unwrap(await editLesson(context(), ADA, edited, { editCount: 0, text: 'Name the unit of every number, always.' }));
  expect(await listContestedLessons(db.database())).toEqual([contested]);
  const filter = { query: '', kind: null, status: null, year: null, scope: null, order: 'newest' } as const;
  const listed = await listLessons(db.database(), { ...filter, only: 'contested' }, { cursor: null, limit: 10 });
  expect(listed.items.map(({ id }) => id)).toEqual([contested]);
  expect((await countReviews(db.database(), 'ada')).all).toBeGreaterThanOrEqual(2);
});
