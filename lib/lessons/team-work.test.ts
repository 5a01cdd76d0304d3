import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { countAssigned, findAssignments } from '#lib/assignments/queries.ts';
import { listAudit } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { LOCAL_OWNER } from '#lib/auth/mode.ts';
import type { Role } from '#lib/auth/role.ts';
import { insertPreference } from '#lib/blind-review/blind-review.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { assign, findRunAssignments, unassign } from '#lib/inbox/assign.ts';
import { listInbox } from '#lib/inbox/queries.ts';
import { findReviewers } from '#lib/insights/queries.ts';
import { decide } from '#lib/runs/decide.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { addLesson } from './add-lesson.ts';
import { editLesson } from './edit-lesson.ts';
import { commentLesson, deleteComment, editComment, findLessonPeople, submitOpinion } from './lesson-people.ts';
import { reviewLesson } from './review-lesson.ts';
import { deleteAllLessons, storeLesson } from './test-texts/stored-lesson.test-support.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

function member(id: string, role: Role) {
  return { id, memberId: id, name: id.toUpperCase(), role };
}
const ADA = member('ada', 'owner');
const BEN = member('ben', 'reviewer');
const CY = member('cy', 'reviewer');
const EVE = member('eve', 'editor');
const VIC = member('vic', 'viewer');
/** An API token of Ben. */
const BENS_TOKEN: Actor = {
  id: 'token:1',
  memberId: 'ben',
  name: 'ci (API token)',
  role: 'reviewer',
  scopes: ['runs:write'],
};

beforeEach(async () => {
  const database = db.database();
  await deleteAllLessons(database);
  await database.prisma.assignment.deleteMany();
  await database.prisma.member.deleteMany();
  const at = new Date();
  const rows = [ADA, BEN, CY, EVE, VIC].map(({ id, name, role }) => ({
    ...{ id, name, role, email: `${id}@example.org`, createdAt: at, updatedAt: at },
    disabledAt: id === 'eve' ? at : null,
  }));
  await database.prisma.member.createMany({ data: rows });
});

const quarantined = () => storeLesson(db.database(), { status: 'quarantined', admission: 'admitted' });
const lastAudit = async () => (await listAudit(db.database(), {}, { cursor: null, limit: 1 })).items[0];
const REFUSED = (code: string, message: RegExp) => ({
  ok: false,
  problem: { code, message: expect.stringMatching(message) },
});

describe('an assignment', () => {
  test('of a lesson is stored once, listed, counted for the assignee, logged and removable', async () => {
    const id = await quarantined();
    const subject = { kind: 'lesson', id } as const;
    unwrap(await assign(context(), ADA, subject, { memberId: 'ben' }));
    const again = unwrap(await assign(context(), CY, subject, { memberId: 'ben' }));
    expect(again.assignees).toMatchObject([{ memberId: 'ben', name: 'BEN', assignedBy: 'ADA', isMine: false }]);
    expect(again.choices.map(({ memberId }) => memberId)).toEqual(['ada', 'cy']);
    expect(await lastAudit()).toMatchObject({ act: 'assigned', actor: 'ADA', subject: { id }, change: { to: 'BEN' } });
    expect((await findAssignments(context(), BENS_TOKEN, subject)).assignees[0]?.isMine).toBe(true);
    expect(await countAssigned(db.database(), 'ben')).toEqual({ runs: 0, lessons: 1 });
    unwrap(await reviewLesson(context(), CY, id, { verdict: 'reject', reason: 'Too general', editCount: 0 }));
    expect(await countAssigned(db.database(), 'ben')).toEqual({ runs: 0, lessons: 0 });
    expect(unwrap(await unassign(context(), CY, subject, 'ben')).assignees).toEqual([]);
    expect(await lastAudit()).toMatchObject({ act: 'unassigned', actor: 'CY' });
    expect(await unassign(context(), CY, subject, 'ben')).toMatchObject({ problem: { code: 'not_found' } });
  });

  test('of a run appears in the inbox of the assignee', async () => {
    const [mine, other] = [await waitingRun(), await waitingRun()];
    unwrap(await assign(context(), ADA, { kind: 'run', id: mine }, { memberId: 'ben' }));
    const seenBy = (personId: string, scope: 'all' | 'assigned') =>
      listInbox(
        db.database(),
        { scope, cursor: null, limit: 50 },
        { actorId: personId, actorName: personId, windowId: null, personId },
        new Date(),
      );
    const found = await seenBy('ben', 'assigned');
    expect(found.items).toMatchObject([{ id: mine, isAssigned: true }]);
    expect(found.groups.reduce((sum, { assigned = 0 }) => sum + assigned, 0)).toBe(1);
    expect((await seenBy('cy', 'assigned')).items).toEqual([]);
    const all = (await seenBy('cy', 'all')).items.filter(({ id }) => id === mine || id === other);
    expect(all).toHaveLength(2);
    expect(all.every((item) => !('isAssigned' in item))).toBe(true);
    expect(await countAssigned(db.database(), 'ben')).toEqual({ runs: 1, lessons: 0 });
  });

  test.each([
    { name: 'the id is unknown', memberId: 'nobody', says: { code: 'invalid' } },
    { name: 'the person may not decide', memberId: 'vic', says: { code: 'invalid' } },
    { name: 'the person is disabled', memberId: 'eve', says: { code: 'invalid' } },
    { name: 'the id is invalid', memberId: '', says: { code: 'invalid' } },
  ])('is refused if $name', async ({ memberId, says }) => {
    const subject = { kind: 'lesson', id: await quarantined() } as const;
    expect(await assign(context(), ADA, subject, { memberId })).toMatchObject({ problem: says });
    expect((await findAssignments(context(), ADA, subject)).assignees).toEqual([]);
  });

  test.each(['run', 'lesson'] as const)('is refused for an unknown %s', async (kind) => {
    const refused = await assign(context(), ADA, { kind, id: UNKNOWN_ID }, { memberId: 'ben' });
    expect(refused).toMatchObject({ problem: { code: 'not_found' } });
  });

  test('returns the assignees of a run, and not_found for an unknown one', async () => {
    const runId = await queuedRun(context(), PRACTICE_WRITING, { input: 'Explain tides.' });
    unwrap(await assign(context(), ADA, { kind: 'run', id: runId }, { memberId: 'ben' }));
    const found = unwrap(await findRunAssignments(context(), ADA, runId));
    expect(found.assignees).toMatchObject([{ memberId: 'ben' }]);
    expect(await findRunAssignments(context(), ADA, UNKNOWN_ID)).toMatchObject({ problem: { code: 'not_found' } });
  });

  test('is refused for the author of the lesson', async () => {
    const { id } = unwrap(await addLesson(context(), BENS_TOKEN, { kind: 'lesson', text: 'Count the cases twice.' }));
    const refused = await assign(context(), ADA, { kind: 'lesson', id }, { memberId: 'ben' });
    expect(refused).toMatchObject(REFUSED('conflict', /BEN wrote this lesson/));
    const people = unwrap(await findLessonPeople(context(), ADA, id));
    expect(people.choices.map(({ memberId }) => memberId)).toEqual(['ada', 'cy']);
  });
});

describe('authors and editors cannot promote their own lesson', () => {
  test.each([
    { by: BEN, promotes: BEN },
    { by: BENS_TOKEN, promotes: BEN },
    { by: BEN, promotes: BENS_TOKEN },
    { by: ADA, promotes: ADA },
  ])('refuses $promotes.name to promote a lesson by $by.name and logs the refusal', async ({ by, promotes }) => {
    const { id } = unwrap(await addLesson(context(), by, { kind: 'lesson', text: 'Count the cases twice.' }));
    await db
      .database()
      .pool.query("UPDATE lessons SET status = 'quarantined', admission = 'admitted' WHERE id = $1", [id]);
    expect(unwrap(await findLessonPeople(context(), promotes, id)).isOwn).toBe(true);
    const refused = await reviewLesson(context(), promotes, id, { verdict: 'promote', reason: 'good', editCount: 0 });
    expect(refused).toMatchObject(REFUSED('forbidden', /someone else must promote/));
    expect(await lastAudit()).toMatchObject({
      act: 'reviewed',
      outcome: 'refused',
      actorId: promotes.id,
      subject: { id },
    });
    unwrap(await reviewLesson(context(), CY, id, { verdict: 'promote', reason: 'good', editCount: 0 }));
    expect(await lastAudit()).toMatchObject({ act: 'reviewed', outcome: 'done', change: { verdict: 'promote' } });
  });

  test('an editor cannot promote their edit, but other reviewers can', async () => {
    const id = await quarantined();
    unwrap(
      await editLesson(context(), BEN, id, { editCount: 0, text: 'Name the unit of every number, and its source.' }),
    );
    expect(unwrap(await findLessonPeople(context(), BENS_TOKEN, id)).isOwn).toBe(true);
    expect(unwrap(await findLessonPeople(context(), CY, id)).isOwn).toBe(false);
  });

  test('the owner can promote their own lesson in local mode', async () => {
    const { id } = unwrap(await addLesson(context(), LOCAL_OWNER, { kind: 'lesson', text: 'Count the cases twice.' }));
    await db
      .database()
      .pool.query("UPDATE lessons SET status = 'quarantined', admission = 'admitted' WHERE id = $1", [id]);
    expect(unwrap(await findLessonPeople(context(), LOCAL_OWNER, id)).isOwn).toBe(false);
    unwrap(await reviewLesson(context(), LOCAL_OWNER, id, { verdict: 'promote', reason: 'good', editCount: 0 }));
  });
});

describe('an opinion', () => {
  const YES = { verdict: 'promote', reason: 'It helped twice.', editCount: 0 };
  const NO = { verdict: 'reject', editCount: 0 };

  test('hides other opinions until the reviewer submits one, and the first vote counts', async () => {
    const id = await quarantined();
    const ofBen = unwrap(await submitOpinion(context(), BEN, id, YES));
    expect(ofBen).toMatchObject({ given: 1, mayGive: false, opinions: [{ actor: 'BEN', isMine: true }] });
    for (const other of [CY, VIC, ADA]) {
      const seen = unwrap(await findLessonPeople(context(), other, id));
      expect(seen).toMatchObject({ given: 1, opinions: null, mayGive: other !== VIC });
    }
    const ofCy = unwrap(await submitOpinion(context(), CY, id, NO));
    expect(ofCy.opinions?.map(({ actor, verdict }) => `${actor} ${verdict}`)).toEqual(['BEN promote', 'CY reject']);
    for (const again of [BEN, BENS_TOKEN])
      expect(await submitOpinion(context(), again, id, NO)).toMatchObject(REFUSED('conflict', /first vote counts/));
    const entry = await lastAudit();
    expect(entry).toMatchObject({ act: 'judged', actor: 'CY', change: {} });
    expect(JSON.stringify(entry)).not.toContain('reject');
  });

  test('is visible to all after the decision, and no more can be added', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), BEN, id, YES));
    unwrap(await reviewLesson(context(), CY, id, { verdict: 'promote', reason: 'good', editCount: 0 }));
    const seen = unwrap(await findLessonPeople(context(), VIC, id));
    expect(seen).toMatchObject({
      mayGive: false,
      opinions: [
        { actor: 'BEN', reason: 'It helped twice.' },
        { actor: 'CY', reason: 'good' },
      ],
    });
    expect(await submitOpinion(context(), ADA, id, NO)).toMatchObject(REFUSED('conflict', /promoted already/));
  });

  test("is refused for an outdated text or the reviewer's own work", async () => {
    const id = await quarantined();
    unwrap(await editLesson(context(), BEN, id, { editCount: 0, text: 'Name the unit of every number, always.' }));
    expect(await submitOpinion(context(), CY, id, YES)).toMatchObject(
      REFUSED('conflict', /edited this lesson after you opened it/),
    );
    expect(await submitOpinion(context(), BEN, id, { ...YES, editCount: 1 })).toMatchObject(
      REFUSED('forbidden', /others/),
    );
    expect(unwrap(await submitOpinion(context(), CY, id, { ...YES, editCount: 1 }))).toMatchObject({ given: 1 });
    expect(await submitOpinion(context(), CY, UNKNOWN_ID, YES)).toMatchObject({ problem: { code: 'not_found' } });
    expect(await submitOpinion(context(), CY, id, { ...YES, verdict: 'restore' })).toMatchObject({
      problem: { code: 'invalid', field: 'verdict' },
    });
  });

  test('on an older text is listed as outdated after an edit and is not counted', async () => {
    const id = await quarantined();
    unwrap(await submitOpinion(context(), CY, id, YES));
    unwrap(await editLesson(context(), ADA, id, { editCount: 0, text: 'Name the unit of every number, always.' }));
    const blind = unwrap(await findLessonPeople(context(), BEN, id));
    expect(blind).toMatchObject({ given: 0, opinions: null, older: null });
    const seen = unwrap(await submitOpinion(context(), BEN, id, { ...NO, editCount: 1 }));
    expect(seen).toMatchObject({
      given: 1,
      opinions: [{ actor: 'BEN', verdict: 'reject' }],
      older: [{ actor: 'CY', verdict: 'promote', editCount: 0, isMine: false }],
    });
    expect(unwrap(await findLessonPeople(context(), CY, id))).toMatchObject({ opinions: null, mayGive: true });
    const { opinions } = await findReviewers(db.database(), { experimentId: null });
    expect(opinions).toMatchObject({ shared: 0, n: 0 });
  });

  test('is compared between two reviewers of the same lessons', async () => {
    const ids = [await quarantined(), await quarantined(), await quarantined()];
    for (const [index, id] of ids.entries()) {
      unwrap(await submitOpinion(context(), BEN, id, YES));
      unwrap(await submitOpinion(context(), CY, id, index === 0 ? NO : YES));
    }
    const { opinions, scores, preferences } = await findReviewers(db.database(), { experimentId: null });
    expect(opinions).toMatchObject({
      people: 2,
      shared: 3,
      n: 3,
      same: 2,
      pairs: [{ first: 'BEN', second: 'CY', n: 3 }],
    });
    expect([scores.n, preferences.n]).toEqual([0, 0]);
  });
});

test('compares scores of the same version and preferences on the same pair, per experiment or overall', async () => {
  const runId = await queuedRun(context(), PRACTICE_SUMS, { input: 'Add 7 and 5', reference: '12' });
  await performRun(testWorkerContext(context()), runId);
  for (const [actor, score] of [
    [BEN, 0.2],
    [CY, 0.4],
  ] as const)
    unwrap(await decide(context(), actor, runId, { decision: 'override', version: 0, score, reason: 'no' }));
  const { rows } = await db
    .database()
    .pool.query<{ id: string }>('SELECT experiment_id AS id FROM runs WHERE id = $1', [runId]);
  const experimentId = rows[0]?.id ?? '';
  for (const [actor, left, choice] of [
    [BEN, 0, 'left'],
    [CY, 1, 'right'],
    [ADA, 1, 'tie'],
  ] as const)
    await inTransaction(db.database(), (transaction) =>
      insertPreference(transaction, {
        ...{ id: randomUUID(), experimentId, runId, first: 0, second: 1, left, choice, seconds: null, at: new Date() },
        ...{ actorId: actor.id, actor: actor.name },
      }),
    );
  const found = await findReviewers(db.database(), { experimentId });
  expect(found.scores).toMatchObject({ people: 2, n: 1, same: 1, kappa: null });
  expect(found.preferences).toMatchObject({ people: 3, shared: 1, n: 1, same: 1, ties: 2 });
  const elsewhere = await findReviewers(db.database(), { experimentId: UNKNOWN_ID });
  expect([elsewhere.scores.things, elsewhere.preferences.things]).toEqual([0, 0]);
});

test.each([
  ['the threshold of the case', { qualityThreshold: 0.3 }, {}],
  ['the threshold of the criterion', { change: { exact: { threshold: 0.3 } } }, { criterion: 'exact' }],
])('compares scores with %s', async (_name, criteria, scored) => {
  const task = { input: 'Add 7 and 5', reference: '12', criteria };
  const runId = await queuedRun(context(), PRACTICE_SUMS, task);
  await performRun(testWorkerContext(context()), runId);
  for (const [actor, score] of [
    [BEN, 0.2],
    [CY, 0.4],
    [ADA, 0.3],
  ] as const)
    unwrap(await decide(context(), actor, runId, { decision: 'override', version: 0, score, reason: 'no', ...scored }));
  const { experimentId } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
  // Only the two at or above the threshold agree.
  expect((await findReviewers(db.database(), { experimentId })).scores).toMatchObject({ people: 3, n: 3, same: 1 });
});

describe('a comment on a lesson', () => {
  test('can be edited by its author or their token, and deleted by them or an owner', async () => {
    const lessonId = await quarantined();
    const { id } = unwrap(await commentLesson(context(), BEN, lessonId, { text: 'Too long' }));
    const at = { lessonId, id };
    expect(unwrap(await findLessonPeople(context(), BEN, lessonId)).ownComments).toEqual([id]);
    expect(unwrap(await findLessonPeople(context(), CY, lessonId)).ownComments).toEqual([]);
    for (const other of [CY, ADA])
      expect(await editComment(context(), other, at, { text: 'x' })).toMatchObject({ problem: { code: 'forbidden' } });
    expect(unwrap(await editComment(context(), BENS_TOKEN, at, { text: 'Short enough' })).text).toBe('Short enough');
    expect(await deleteComment(context(), CY, at)).toMatchObject({ problem: { code: 'forbidden' } });
    const elsewhere = { lessonId: await quarantined(), id };
    expect(await deleteComment(context(), BEN, elsewhere)).toMatchObject({ problem: { code: 'not_found' } });
    unwrap(await deleteComment(context(), ADA, at));
    expect(await lastAudit()).toMatchObject({ act: 'deleted_comment', actor: 'ADA', change: { by: 'BEN' } });
    expect(await editComment(context(), BEN, at, { text: 'x' })).toMatchObject({ problem: { code: 'not_found' } });
  });

  test('without a stored author can be edited only by the local owner', async () => {
    const lessonId = await quarantined();
    const id = randomUUID();
    const old = { id, lessonId, actor: 'you', text: 'Hm', createdAt: new Date() };
    await db.database().prisma.lessonComment.create({ data: old });
    expect(await editComment(context(), BEN, { lessonId, id }, { text: 'x' })).toMatchObject({
      problem: { code: 'forbidden' },
    });
    unwrap(await editComment(context(), LOCAL_OWNER, { lessonId, id }, { text: 'Hm!' }));
  });
});

/** Creates a run that waits at a pause. */
async function waitingRun(): Promise<string> {
  const id = await queuedRun(context(), PRACTICE_WRITING, { input: 'Explain the refund policy' });
  const pause = {
    ...{ pauseId: randomUUID(), hook: 'onReflection', version: 0, wouldStopAs: null, asks: [], expiresAt: null },
    since: new Date().toISOString(),
  };
  await db
    .database()
    .pool.query("UPDATE runs SET status = 'waiting', pause = $2 WHERE id = $1", [id, JSON.stringify(pause)]);
  return id;
}
