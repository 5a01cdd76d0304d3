import { describe, expect, test } from 'vitest';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { purgeDue } from '#lib/settings/purge.ts';
import { updateRetention } from '#lib/settings/retention.ts';
import { removeUnusedPrompts } from '#lib/settings/unused-prompts.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { removeExpired } from '#lib/worker/start-background-tasks.ts';
import { deleteRun } from './delete-run.ts';
import { listModelCalls } from './list-model-calls.test-support.ts';
import { SharedPrompts } from './shared-prompts.ts';

const db = useTestDatabase();
const DAY_MS = 86_400_000;

describe('the text that a call shares', () => {
  const RULES = 'Score each criterion from 0 to 1.\n'.repeat(10);
  const ORIGIN = { experimentId: 'e', experimentVersion: 1, role: 'judge' };
  const finder = () => {
    const shared = new SharedPrompts();
    return (runId: string, instructions: string, prompt: string, changes: Partial<typeof ORIGIN> = {}) =>
      shared.find({ ...ORIGIN, runId, ...changes }, instructions, prompt);
  };
  const taskPrompt = (task: string) => `<task>\n${task}\n</task>\n${RULES}`;
  const OF_TASKS = { start: '<task>\n', end: `\n</task>\n${RULES}` };

  test('is what it has in common with the call of another run, in whole lines', () => {
    const find = finder();
    expect(find('1', 'Judge.', taskPrompt('Task one.'))).toBeNull();
    const found = find('2', 'Judge.', taskPrompt('Task two.'));
    expect(found).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), instructions: 'Judge.', ...OF_TASKS });
    expect(find('3', 'Judge.', taskPrompt('Other'))).toBe(found);
  });

  test('contains nothing that a call does not contain', () => {
    const find = finder();
    for (const run of ['1', '2', '3']) find(run, 'Judge.', taskPrompt('The same private case.'));
    expect(find('4', 'Judge.', taskPrompt('Another case.'))).toMatchObject(OF_TASKS);
    expect(find('5', 'Judge.', taskPrompt('The same private case.'))).toMatchObject(OF_TASKS);
  });

  test('is only the instructions if prompts have too little in common', () => {
    const find = finder();
    const found = Array.from({ length: 20 }, (_, run) => find(`${run}`, RULES, `${run}\n`.repeat(run + 1).trim()));
    expect(new Set(found.map((one) => one?.id ?? null)).size).toBe(2);
    expect(found.at(-1)).toMatchObject({ instructions: RULES, start: '', end: '' });
  });

  test.each([
    ['unique instructions', '1', '2', { one: RULES, two: `${RULES}A lesson.` }, {}],
    ['short texts', '1', '2', { one: 'Judge.', two: 'Judge.' }, {}],
    ['the same run', '1', '1', { one: RULES, two: RULES }, {}],
    ['another role', '1', '2', { one: RULES, two: RULES }, { role: 'critic' }],
    ['other settings', '1', '2', { one: RULES, two: RULES }, { experimentVersion: 2 }],
    ['another experiment', '1', '2', { one: RULES, two: RULES }, { experimentId: 'f' }],
  ])('is nothing with %s', (_name, first, second, { one, two }, changes) => {
    const find = finder();
    find(first, one, 'A');
    expect(find(second, two, 'B', changes)).toBeNull();
  });
});

/** Performs runs of one experiment one after another, and returns their ids and the calls as sent. */
async function performRuns(inputs: readonly string[]) {
  const context = testContext(db.database());
  const runIds: string[] = [];
  const sent: { runId: string; instructions: string; prompt: string }[] = [];
  const first = await queuedRun(context, PRACTICE_WRITING, { input: inputs[0] ?? '' });
  const { experimentId } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: first } });
  for (const [index, input] of inputs.entries()) {
    const runId = index === 0 ? first : await queuedRun(context, PRACTICE_WRITING, { input });
    // Each queued run has a separate experiment.
    if (index > 0)
      await db
        .database()
        .pool.query('UPDATE runs SET experiment_id = $2, experiment_version = 1 WHERE id = $1', [runId, experimentId]);
    const worker = testWorkerContext(context);
    const call: typeof worker.call = (request, options) => {
      sent.push({ runId, instructions: request.instructions, prompt: request.prompt });
      return worker.call(request, options);
    };
    await performRun({ ...worker, call }, runId);
    runIds.push(runId);
  }
  return { context, runIds, sent, experimentId };
}

const TIDE = 'Explain the tide to a child';
const RAIN = 'Explain the rain to a sailor';
const SNOW = 'Explain the snow to a cook';

const sharedTexts = (experimentId: string) =>
  db.database().prisma.sharedPrompt.findMany({ where: { experimentId }, orderBy: { id: 'asc' } });
const references = (runId: string) =>
  db.database().prisma.modelCall.count({ where: { runId, sharedPromptId: { not: null } } });

async function expectAsSent(runIds: readonly string[], sent: Awaited<ReturnType<typeof performRuns>>['sent']) {
  for (const runId of runIds) {
    const stored = await listModelCalls(db.database(), runId);
    const texts = stored.map(({ instructions, prompt }) => ({ runId, instructions, prompt }));
    expect(texts).toEqual(sent.filter((one) => one.runId === runId));
  }
}

describe('calls of several runs', () => {
  test('are shown as they were sent, and store the texts they share once', async () => {
    const { runIds, sent, experimentId } = await performRuns([TIDE, RAIN, SNOW]);
    await expectAsSent(runIds, sent);
    expect(await Promise.all(runIds.map(references))).toEqual([0, expect.any(Number), expect.any(Number)]);
    expect(await references(runIds[2] ?? '')).toBeGreaterThan(0);
    const texts = await sharedTexts(experimentId);
    expect(texts.length).toBeGreaterThan(0);
    for (const input of [TIDE, RAIN, SNOW]) expect(JSON.stringify(texts)).not.toContain(input);
  });

  test('are complete if their texts were deleted since the process stored them', async () => {
    const { context, runIds, experimentId } = await performRuns([TIDE, RAIN]);
    unwrap(await deleteRun(context, TESTER, runIds[1] ?? ''));
    expect(await sharedTexts(experimentId)).toEqual([]);
    const runId = await queuedRun(context, PRACTICE_WRITING, { input: SNOW });
    await db
      .database()
      .pool.query('UPDATE runs SET experiment_id = $2, experiment_version = 1 WHERE id = $1', [runId, experimentId]);
    await performRun(testWorkerContext(context), runId);
    expect(await references(runId)).toBeGreaterThan(0);
    expect(await sharedTexts(experimentId)).not.toEqual([]);
    for (const { instructions } of await listModelCalls(db.database(), runId)) expect(instructions).not.toBe('');
  });

  test('delete their shared texts with the last run, and with the experiment', async () => {
    const { context, runIds, sent, experimentId } = await performRuns([TIDE, RAIN, SNOW]);
    const other = await performRuns([TIDE, RAIN]);
    unwrap(await deleteRun(context, TESTER, runIds[1] ?? ''));
    await expectAsSent([runIds[0] ?? '', runIds[2] ?? ''], sent);
    unwrap(await deleteRun(context, TESTER, runIds[2] ?? ''));
    expect(await sharedTexts(experimentId)).toEqual([]);
    await expectAsSent([runIds[0] ?? ''], sent);
    await expectAsSent(other.runIds, other.sent);
    unwrap(await deleteExperiment(context, TESTER, other.experimentId));
    expect(await sharedTexts(other.experimentId)).toEqual([]);
  });

  test('delete their shared texts with the expired texts of calls', async () => {
    const { context, runIds, experimentId } = await performRuns([TIDE, RAIN]);
    const later = { ...context, now: () => new Date(Date.now() + 40 * DAY_MS) };
    const days = { callTextDays: 30, runEventDays: null, webhookDeliveryDays: null, toolResultDays: null };
    unwrap(await updateRetention(context, TESTER, days));
    unwrap(await purgeDue(later, TESTER));
    expect(await sharedTexts(experimentId)).toEqual([]);
    expect(await references(runIds[1] ?? '')).toBe(0);
  });

  test('delete their shared texts later if a process was killed after it deleted the run', async () => {
    const { context, runIds, experimentId } = await performRuns([TIDE, RAIN]);
    await db.database().prisma.run.deleteMany({ where: { id: runIds[1] ?? '' } });
    expect(await sharedTexts(experimentId)).not.toEqual([]);
    await removeExpired(context, new AbortController().signal);
    expect(await sharedTexts(experimentId)).toEqual([]);
  });

  test('keep a text that another transaction references at the same time', async () => {
    const { runIds, experimentId } = await performRuns([TIDE, RAIN]);
    const texts = await sharedTexts(experimentId);
    const saver = await db.database().pool.connect();
    try {
      await saver.query('BEGIN');
      // Like a save: the text is there, and a call references it.
      await saver.query(
        `INSERT INTO shared_prompts (experiment_id, id, instructions, prompt_start, prompt_end) VALUES ($1, $2, '', '', '') ON CONFLICT DO NOTHING`,
        [experimentId, texts[0]?.id],
      );
      await saver.query(
        `INSERT INTO model_calls (run_id, step, ordinal, fingerprint, role, provider, model, instructions, prompt, options, input_tokens, output_tokens, latency_ms, attempts, created_at, shared_prompt_id)
         VALUES ($1, 90, 0, '', 'judge', 'p', 'm', '', '', '{}', 1, 1, 1, 1, now(), $2)`,
        [runIds[0], texts[0]?.id],
      );
      await db.database().prisma.run.deleteMany({ where: { id: runIds[1] ?? '' } });
      const removed = removeUnusedPrompts(db.database(), experimentId);
      await expect.poll(waitingLocks).toBe(1);
      await saver.query('COMMIT');
      await removed;
    } finally {
      saver.release();
    }
    expect((await sharedTexts(experimentId)).map(({ id }) => id)).toEqual([texts[0]?.id]);
  });
});

async function waitingLocks(): Promise<number> {
  const { rows } = await db
    .database()
    .pool.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = 'shared_prompts'::regclass`,
    );
  return rows[0]?.count ?? 0;
}
