import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { listRetrospectives } from '#lib/lessons/retrospectives/retrospectives.ts';
import type { ModelCaller, ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { runsWithWaitingWork } from '#lib/runs/worker-queries.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performJob } from './perform-job.ts';
import { performRetrospectives } from './perform-retrospectives.ts';
import { performRun } from './perform-run.ts';
import { requestRetrospective } from './request-retrospectives.ts';

const db = useTestDatabase();
const TASK = { input: 'Explain our rate limits to a new user', reference: 'SECRET-REFERENCE' };
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100, attempts: 1 };
const GOOD = {
  skills: [{ pattern: 'A guide on {topic}', strategy: 'Outline it', steps: ['Outline', 'Write'] }],
  policies: [{ tool: 'search', constraint: 'Once a question' }],
  principles: ['Always outline.'],
};

/** A model that returns these responses in turn; 'DOWN' and 'MALFORMED' are failed calls. */
function model(...replies: (string | object)[]): { call: ModelCaller; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    asked,
    call: async (request): Promise<ModelOutcome> => {
      const reply = replies[asked.length] ?? 'nothing more to say';
      asked.push(request);
      if (reply === 'DOWN' || reply === 'MALFORMED') {
        const kind = reply === 'DOWN' ? ('unavailable' as const) : ('malformed' as const);
        return {
          ok: false,
          failure: { kind, message: `It is ${reply}.`, remedy: 'Try later.', status: 500, ...SPEND },
        };
      }
      const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
      return { ok: true, reply: { text, finishReason: 'stop', warnings: [], ...SPEND } };
    },
  };
}

async function endedRun(settings: Partial<ExperimentSettingsInput> = {}) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...PRACTICE_WRITING, maxIterations: 1, ...settings }, TASK);
  await performRun(testWorkerContext(context), runId);
  const stored = await loadRun(db.database(), runId);
  context.sent.length = 0;
  return { context, runId, stored };
}

/** Requests and performs a retrospective of an ended run, with a model that returns these responses. */
async function lookedBack(...replies: (string | object)[]) {
  const run = await endedRun();
  unwrap(await requestRetrospective(run.context, TESTER, run.runId));
  const scripted = model(...replies);
  await performJob(testWorkerContext(run.context, scripted.call), run.runId);
  return { ...run, ...scripted, made: await madeOf(run.runId) };
}

async function madeOf(runId: string) {
  const made = (await listRetrospectives(db.database(), runId)).at(-1);
  if (made === undefined) throw new Error('no retrospective');
  return made;
}

async function callsAside(runId: string) {
  return (await listModelCalls(db.database(), runId)).filter(({ step }) => step < 0);
}

async function lessonsOf(runId: string) {
  const { rows } = await db
    .database()
    .pool.query<Record<string, unknown>>(
      'SELECT kind, status, text, fields, run_id, version, tools, agent, task_type, source_input, created_by FROM lessons WHERE run_id = $1 ORDER BY kind',
      [runId],
    );
  return rows;
}

describe('a retrospective', () => {
  test('makes one call and stores typed candidates with their source; the run is unchanged', async () => {
    const { made, asked, runId, stored } = await lookedBack(GOOD);
    expect(made).toMatchObject({
      status: 'done',
      counts: { skill_card: 1, tool_policy: 1, principle: 1 },
      message: null,
      tokens: 15,
    });
    expect(made.lessons.map(({ kind, status }) => [kind, status])).toEqual([
      ['principle', 'candidate'],
      ['skill_card', 'candidate'],
      ['tool_policy', 'candidate'],
    ]);
    const lessons = await lessonsOf(runId);
    expect(lessons[1]).toEqual({
      kind: 'skill_card',
      status: 'candidate',
      text: 'Pattern: A guide on {topic}\nStrategy: Outline it\nSteps: 1. Outline\n2. Write',
      fields: { pattern: 'A guide on {topic}', strategy: 'Outline it', steps: '1. Outline\n2. Write' },
      run_id: runId,
      version: null,
      tools: [],
      agent: 'default',
      task_type: 'custom',
      source_input: TASK.input,
      created_by: 'practice/practice-1',
    });
    expect(lessons[2]).toMatchObject({ tools: ['search'] });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ role: 'lesson', output: { name: 'retrospective' } });
    expect(JSON.stringify(asked)).not.toContain('SECRET');
    expect(await callsAside(runId)).toHaveLength(1);
    expect(await loadRun(db.database(), runId)).toEqual(stored);
  });

  test('is created once for concurrent requests', async () => {
    const { context, runId } = await endedRun();
    const asked = await Promise.all(Array.from({ length: 30 }, () => requestRetrospective(context, TESTER, runId)));
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await listRetrospectives(db.database(), runId)).toHaveLength(1);
  });

  test('a second one continues the numbering and has its own lessons', async () => {
    const { context, runId } = await lookedBack(GOOD);
    unwrap(await requestRetrospective(context, TESTER, runId));
    await performRetrospectives(testWorkerContext(context, model({ principles: ['Another one.'] }).call), runId);
    const all = await listRetrospectives(db.database(), runId);
    expect(all.map(({ number, lessons }) => [number, lessons.length])).toEqual([
      [1, 3],
      [2, 1],
    ]);
  });

  test.each([
    ['learn', 'waiting'],
    ['stage', 'staged'],
  ] as const)('for write mode %s, leaves lessons that are %s', async (write, admission) => {
    const { context, runId } = await endedRun({ lessons: { write } });
    unwrap(await requestRetrospective(context, TESTER, runId));
    await performRetrospectives(testWorkerContext(context, model({ principles: ['Another one.'] }).call), runId);
    const { rows } = await db.database().pool.query('SELECT admission FROM lessons WHERE run_id = $1', [runId]);
    expect(rows).toEqual([{ admission }]);
  });

  test('is answered by the practice model from its prompt', async () => {
    const { context, runId, stored } = await endedRun();
    unwrap(await requestRetrospective(context, TESTER, runId));
    await performRetrospectives(testWorkerContext(context), runId);
    const made = await madeOf(runId);
    expect(made.status).toBe('done');
    expect(made.lessons.length).toBeGreaterThan(2);
    const issue = stored?.history.evaluations.at(-1)?.issues[0]?.text;
    expect(made.lessons.map(({ text }) => text).join('\n')).toContain(issue);
  });
});

describe('an unusable response', () => {
  test('is retried once as a plain-text block, and both calls are counted', async () => {
    const { made, asked } = await lookedBack('It went well.', `So:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``);
    expect(asked.map(({ output }) => output?.name ?? null)).toEqual(['retrospective', null]);
    expect(made).toMatchObject({ status: 'done', tokens: 30 });
    expect(made.lessons).toHaveLength(3);
  });

  test.each([
    { name: 'prose twice', replies: ['It went well.', 'Very well.'] },
    { name: 'another shape', replies: [{ verdict: 'fine' }, { verdict: 'fine' }] },
    { name: 'malformed entries', replies: [{ skills: [{}] }, { skills: [{ pattern: '' }] }] },
    { name: 'a truncated response', replies: ['{"skills": [{"pattern": "A', '{"skills": [{"pattern": "A'] },
    { name: 'a response the provider cannot parse, then prose', replies: ['MALFORMED', 'Well.'] },
  ])('$name: nothing is stored, and the message reports it', async ({ replies }) => {
    const { made, asked, runId, stored } = await lookedBack(...replies);
    expect(asked).toHaveLength(2);
    expect(made).toMatchObject({ status: 'unusable', counts: {}, lessons: [] });
    expect(made.message).toContain('nothing was stored');
    expect(await lessonsOf(runId)).toEqual([]);
    expect(await loadRun(db.database(), runId)).toEqual(stored);
  });

  test('an unavailable model fails after one call, with its error message', async () => {
    const { made, asked } = await lookedBack('DOWN');
    expect(asked).toHaveLength(1);
    expect(made).toMatchObject({ status: 'failed', message: 'It is DOWN. Try later.', lessons: [] });
  });

  test('invalid entries are omitted and counted; the rest is stored', async () => {
    const { made } = await lookedBack({ ...GOOD, failures: [{ pattern: 'A draft' }] });
    expect(made.lessons).toHaveLength(3);
    expect(made.message).toContain('One entry was skipped');
  });
});

describe('killed and concurrent workers', () => {
  test('a restart after a kill repeats no completed call and stores the result once', async () => {
    const { context, runId } = await lookedBack(GOOD);
    // Simulates a worker that crashed after saving the response and before settling it.
    await db.database().pool.query('DELETE FROM lessons WHERE run_id = $1', [runId]);
    await db
      .database()
      .pool.query("UPDATE retrospectives SET status = 'waiting', held_by = NULL, held_until = NULL, counts = '{}'");
    const { call, asked } = model({ principles: ['Not this one.'] });
    await performRetrospectives(testWorkerContext(context, call), runId);
    expect(asked).toEqual([]);
    expect((await madeOf(runId)).lessons).toHaveLength(3);
    expect(await callsAside(runId)).toHaveLength(1);
  });

  test('two concurrent workers make it once; a stopping worker releases its claim', async () => {
    const { context, runId } = await endedRun();
    unwrap(await requestRetrospective(context, TESTER, runId));
    const { call, asked } = model(GOOD);
    await expect(performRetrospectives(testWorkerContext(context, call, AbortSignal.abort()), runId)).rejects.toThrow(
      'returned to the queue',
    );
    const worker = testWorkerContext(context, call);
    await Promise.allSettled([performRetrospectives(worker, runId), performRetrospectives(worker, runId)]);
    expect(asked).toHaveLength(1);
    expect(await lessonsOf(runId)).toHaveLength(3);
  });

  test('a run with a waiting retrospective is queued again', async () => {
    const { context, runId } = await endedRun();
    const left = (runIds: string[]) => runsWithWaitingWork(db.database(), runIds);
    expect(await left([runId])).toEqual([]);
    unwrap(await requestRetrospective(context, TESTER, runId));
    expect(context.sent).toEqual([runId]);
    expect(await left([runId])).toEqual([runId]);
    await performJob(testWorkerContext(context, model(GOOD).call), runId);
    expect(await left([runId])).toEqual([]);
  });
});

describe('rejected requests', () => {
  test('a duplicate request, an unknown run, a run not ended, and a run without lessons', async () => {
    const { context, runId } = await endedRun();
    unwrap(await requestRetrospective(context, TESTER, runId));
    expect(await requestRetrospective(context, TESTER, runId)).toMatchObject({
      ok: false,
      problem: { code: 'conflict' },
    });
    expect(await requestRetrospective(context, TESTER, context.newId())).toMatchObject({
      ok: false,
      problem: { code: 'not_found' },
    });
    const queued = await queuedRun(context, PRACTICE_WRITING, TASK);
    expect(await requestRetrospective(context, TESTER, queued)).toMatchObject({
      ok: false,
      problem: { code: 'conflict' },
    });
    const silent = await endedRun({ lessons: { write: 'off' } });
    expect(await requestRetrospective(context, TESTER, silent.runId)).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringContaining('lessons.write') },
    });
  });
});
