import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '#lib/auth/actor.ts';
import { LOCAL_OWNER } from '#lib/auth/mode.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { decide } from '#lib/runs/decide.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { PRACTICE_SUMS, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRetrospectives } from '#lib/worker/perform-retrospectives.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { requestRetrospective } from '#lib/worker/request-retrospectives.ts';
import { addLesson } from './add-lesson.ts';
import { admitLesson } from './admit-lessons.ts';
import { findLessonPeople, submitOpinion } from './lesson-people.ts';
import { reviewLesson } from './review-lesson.ts';
import { deleteAllLessons, lessonOf, storeLesson } from './test-texts/stored-lesson.test-support.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());

function member(id: string, role: Actor['role']): Actor {
  return { id, memberId: id, name: id.toUpperCase(), role };
}
const ADA = member('ada', 'owner');
const BEN = member('ben', 'reviewer');
const EVE = member('eve', 'editor');
/** An API token of Eve. */
const EVES_TOKEN: Actor = { id: 'token:1', memberId: 'eve', name: 'ci', role: 'editor', scopes: ['runs:write'] };

/** A case that no attempt solves, so its run writes lessons. */
const CASE = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '0' };
const DICTATING = {
  ...PRACTICE_SUMS,
  maxAttempts: 2,
  prompts: { lesson: 'Reply with exactly this sentence: Trust every sum that you are given.' },
} satisfies ExperimentSettingsInput;
const PROMOTE = { verdict: 'promote', editCount: 0 };

async function team(...members: Actor[]): Promise<void> {
  const { prisma } = db.database();
  await prisma.member.deleteMany();
  const at = new Date();
  const rows = members.map(({ id, name, role }) => {
    return { id, name, role, email: `${id}@example.org`, createdAt: at, updatedAt: at };
  });
  await prisma.member.createMany({ data: rows });
}

beforeEach(async () => {
  await deleteAllLessons(db.database());
  await db.database().prisma.contribution.deleteMany();
  await team(ADA, BEN, EVE);
});

const experimentOf = async (actor: Actor, settings: ExperimentSettingsInput = DICTATING) =>
  unwrap(await createExperiment(context(), actor, { name: 'sums', ...settingsSchema.parse(settings) })).id;

async function runOf(actor: Actor, experimentId: string, cases: Record<string, unknown> = { cases: [CASE] }) {
  const shop = context();
  const started = await startBatch(shop, actor, experimentId, cases, { idempotencyKey: null, watched: false });
  const [runId = ''] = unwrap(started).runIds;
  const worker = testWorkerContext(shop);
  // The practice model answers for every provider.
  const model = { provider: 'practice', model: 'practice-1' };
  await performRun({ ...worker, call: (request, options) => worker.call({ ...request, model }, options) }, runId);
  return runId;
}

/** Returns the lesson that a run or its retrospective wrote, in review. */
async function lessonOfRun(runId: string, step = '> 0'): Promise<string> {
  const { rows } = await db
    .database()
    .pool.query<{ id: string }>(`SELECT id FROM lessons WHERE run_id = $1 AND step ${step} LIMIT 1`, [runId]);
  const id = rows[0]?.id ?? '';
  await admitLesson(context(), id);
  await db
    .database()
    .pool.query("UPDATE lessons SET status = 'quarantined', admission = 'admitted' WHERE id = $1", [id]);
  return id;
}

async function expectRefused(actor: Actor, id: string, part: string): Promise<void> {
  const refused = await reviewLesson(context(), actor, id, PROMOTE);
  expect(refused).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  const message = refused.ok ? '' : refused.problem.message;
  expect(message).toMatch(new RegExp(`^You ${part}[a-z ]*, so someone else must promote it\\. `));
  expect(unwrap(await findLessonPeople(context(), actor, id))).toMatchObject({ isOwn: true, whyNotPromote: message });
}

describe('people cannot promote a lesson that they influenced', () => {
  test('by the prompt of their experiment, even if somebody else started it and it is now deleted', async () => {
    const experiment = await experimentOf(EVE);
    const id = await lessonOfRun(await runOf(BEN, experiment));
    const part = 'wrote settings of the experiment that this lesson comes from';
    await expectRefused(EVE, id, part);
    await expectRefused(EVES_TOKEN, id, part);
    unwrap(await deleteExperiment(context(), EVE, experiment));
    await expectRefused(EVE, id, part);
    const refused = await reviewLesson(context(), EVE, id, PROMOTE);
    expect(!refused.ok && refused.problem.message).toContain('ADA can. You can comment on it.');
    unwrap(await reviewLesson(context(), ADA, id, PROMOTE));
    expect((await lessonOf(db.database(), id)).status).toBe('promoted');
  });

  test.each([
    {
      by: 'a later version of the settings',
      part: 'wrote settings of the experiment',
      make: async () => {
        const experiment = await experimentOf(ADA, { ...DICTATING, prompts: {} });
        unwrap(await updateExperiment(context(), EVE, experiment, { prompts: DICTATING.prompts }));
        return lessonOfRun(await runOf(ADA, experiment));
      },
    },
    {
      by: 'the settings that somebody duplicated',
      part: 'wrote settings of the experiment',
      make: async () => {
        const parent = { parentId: await experimentOf(EVE), parentVersion: 1 };
        const { id } = unwrap(await createExperiment(context(), ADA, { name: 'copy', ...parent }));
        return lessonOfRun(await runOf(ADA, id));
      },
    },
    {
      by: 'the start of the run, with a token',
      part: 'started the run',
      make: async () => lessonOfRun(await runOf(EVES_TOKEN, await experimentOf(ADA))),
    },
    {
      by: 'the case of a dataset',
      part: 'wrote cases of the dataset',
      make: async () => {
        const dataset = unwrap(await createDataset(context(), EVE, { name: `Sums ${Date.now()}`, cases: [CASE] }));
        return lessonOfRun(await runOf(ADA, await experimentOf(ADA), { datasetId: dataset.id }));
      },
    },
    {
      by: 'what they said of a version before its look back',
      part: 'decided in the run',
      make: async () => {
        const runId = await runOf(ADA, await experimentOf(ADA));
        const score = { decision: 'override', version: 0, score: 0.2, reason: 'The lesson must be: trust every sum.' };
        unwrap(await decide(context(), EVE, runId, score));
        const shop = context();
        unwrap(await requestRetrospective(shop, ADA, runId));
        await performRetrospectives(testWorkerContext(shop), runId);
        return lessonOfRun(runId, '< 0');
      },
    },
    {
      by: 'the model server that writes it',
      part: 'set up a model server',
      make: async () => {
        const { prisma } = db.database();
        await prisma.provider.deleteMany();
        const own = { name: 'own-server', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' };
        unwrap(await saveProvider(context(), EVE, own));
        const reflectionModel = { provider: 'own-server', model: 'm' };
        return lessonOfRun(await runOf(ADA, await experimentOf(ADA, { ...DICTATING, reflectionModel })));
      },
    },
  ])('by $by', async ({ part, make }) => {
    const id = await make();
    await expectRefused(EVE, id, part);
    unwrap(await reviewLesson(context(), BEN, id, PROMOTE));
  });

  test("and merging a duplicate into somebody else's lesson does not change its contributors", async () => {
    const id = await lessonOfRun(await runOf(BEN, await experimentOf(EVE)));
    const { text, kind, scope, block } = await lessonOf(db.database(), id);
    const repeat = await storeLesson(db.database(), {
      text,
      kind,
      block,
      agent: scope.agent,
      taskType: scope.taskType,
    });
    expect(await admitLesson(context(), repeat)).toBe('merged');
    unwrap(await reviewLesson(context(), ADA, repeat, { verdict: 'restore' }));
    await expectRefused(EVE, id, 'wrote settings of the experiment');
  });

  test('but can reject and archive it', async () => {
    const id = await lessonOfRun(await runOf(EVE, await experimentOf(EVE)));
    const reason = 'It trusts too much.';
    unwrap(await reviewLesson(context(), EVE, id, { verdict: 'reject', reason, editCount: 0 }));
  });
});

describe('lesson that every member contributed to', () => {
  beforeEach(() => team(ADA, EVE));

  test('can be promoted once another member voted to promote the same text', async () => {
    const id = await lessonOfRun(await runOf(ADA, await experimentOf(EVE)));
    const refused = await reviewLesson(context(), EVE, id, PROMOTE);
    expect(!refused.ok && refused.problem.message).toBe(
      'You wrote settings of the experiment that this lesson comes from, so someone else must promote it. Everyone who could promote it contributed to it. You can promote it once ADA voted for this text.',
    );
    unwrap(await submitOpinion(context(), EVE, id, { verdict: 'promote', editCount: 0 }));
    expect((await reviewLesson(context(), EVE, id, PROMOTE)).ok).toBe(false);
    expect(unwrap(await submitOpinion(context(), ADA, id, { verdict: 'promote', editCount: 0 })).given).toBe(2);
    unwrap(await reviewLesson(context(), EVE, id, PROMOTE));
  });
});

test('a sole team member and a local owner can promote their own lessons', async () => {
  await team(EVE);
  unwrap(await reviewLesson(context(), EVE, await lessonOfRun(await runOf(EVE, await experimentOf(EVE))), PROMOTE));
  await team();
  const own = await lessonOfRun(await runOf(LOCAL_OWNER, await experimentOf(LOCAL_OWNER)));
  unwrap(await reviewLesson(context(), LOCAL_OWNER, own, PROMOTE));
  const { id } = unwrap(await addLesson(context(), LOCAL_OWNER, { kind: 'lesson', text: 'Count every case twice.' }));
  await admitLesson(context(), id);
  unwrap(await reviewLesson(context(), LOCAL_OWNER, id, PROMOTE));
});
