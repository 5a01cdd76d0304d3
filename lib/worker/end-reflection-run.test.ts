import { describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { findRun } from '#lib/runs/queries.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { whatIf } from '#lib/what-if/what-if.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100, attempts: 1 };
const SETTINGS: ExperimentSettingsInput = {
  ...PRACTICE_WRITING,
  maxIterations: 1,
  qualityThreshold: 0.9,
  lessons: { reflectOnEnd: true },
};
const FORM = {
  whatHappened: 'A guide.',
  whatWentWrong: 'No steps.',
  why: 'No outline.',
  whatToDoDifferently: 'Outline.',
  tacticalRule: 'Always outline.',
  strategy: 'Outline first.',
  whyItWorked: 'It was clear.',
};

/** A model whose judge returns these scores in turn. `reflection` is its reply at the end of the run; 'DOWN' is a failed call. */
function model(scores: number[], reflection: string | object, failing: string | null = null) {
  const asked: string[] = [];
  const prompts: string[] = [];
  let judged = 0;
  const call: ModelCaller = async ({ role, prompt }) => {
    asked.push(role);
    prompts.push(prompt);
    if (role === failing) {
      const failure = { kind: 'refused' as const, message: 'I cannot do that.', remedy: 'Rephrase.', status: null };
      return { ok: false, failure: { ...failure, ...SPEND } };
    }
    if (role === 'lesson' && reflection === 'DOWN') {
      const failure = { kind: 'unavailable' as const, message: 'It is down.', remedy: 'Try later.', status: 500 };
      return { ok: false, failure: { ...failure, ...SPEND } };
    }
    const score = scores[judged % scores.length] ?? 0;
    if (role === 'evaluate') judged++;
    const reply =
      role === 'evaluate'
        ? verdict({ clarity: score, completeness: score }, ['Too vague'])
        : role === 'reflect'
          ? { summary: 'Vague.', issues: [], suggestions: [] }
          : role === 'lesson'
            ? reflection
            : `A text, number ${asked.length} worth ${score}`;
    const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
    return { ok: true, reply: { text, finishReason: 'stop', warnings: [], ...SPEND } };
  };
  return { call, asked, prompts };
}

async function ran(
  scores: number[],
  reflection: string | object,
  settings: Partial<ExperimentSettingsInput> = {},
  failing: string | null = null,
) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...SETTINGS, ...settings }, { input: 'Explain it', reference: 'SECRET' });
  const scripted = model(scores, reflection, failing);
  await performRun(testWorkerContext(context, scripted.call), runId);
  const found = await findRun(db.database(), runId);
  const stored = await loadRun(db.database(), runId);
  if (found === null || stored === null) throw new Error('no run');
  return { context, runId, ...scripted, record: found.record, stored };
}

describe('the reflection at the end of a run, in the form of its outcome', () => {
  test.each([
    { kind: 'failure', scores: [0.5, 0.5], version: 1, text: 'What happened: A guide.' },
    { kind: 'partial', scores: [0.5, 0.7], version: 1, text: 'What happened: A guide.' },
    { kind: 'success', scores: [0.95], version: 0, text: 'Strategy: Outline first.\nWhy it worked: It was clear.' },
  ])('$kind', async ({ kind, scores, version, text }) => {
    const { record, asked, stored } = await ran(scores, FORM);
    expect(record.status).toBe('finished');
    expect(record.lessons).toEqual([
      expect.objectContaining({ kind, version, text: expect.stringContaining(text), fields: expect.any(Object) }),
    ]);
    expect(record.lessons[0]?.fields).toEqual(
      Object.fromEntries(Object.entries(FORM).filter(([name]) => Object.hasOwn(record.lessons[0]?.fields ?? {}, name))),
    );
    expect(asked.filter((role) => role === 'lesson')).toHaveLength(1);
    expect(asked.at(-1)).toBe('lesson');
    expect(record.tokenUsage.total).toBe(15 * asked.length);
    expect(stored.history.lostSpend.tokenUsage.total).toBe(0);
    const { end, spend } = whatIf(stored.history, stored.settings, stored.settings, record.finishedAt);
    expect(end).toMatchObject({ type: 'stops', reason: record.convergenceReason });
    expect(spend.tokenUsage.total).toBe(record.tokenUsage.total);
  });

  test('is written by the practice model, with the reference in no prompt', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, SETTINGS, { input: 'Explain our rate limits', reference: 'SECRET' });
    await performRun(testWorkerContext(context), runId);
    const found = await findRun(db.database(), runId);
    const [lesson] = found?.record.lessons ?? [];
    expect(lesson?.kind).toBe('partial');
    expect(lesson?.fields.whatWentWrong).toContain(found?.record.versions.at(-1)?.evaluations[0]?.issues[0]?.text);
    expect(JSON.stringify((await listModelCalls(db.database(), runId)).map(({ prompt }) => prompt))).not.toContain(
      'SECRET',
    );
  });

  test.each([
    { name: 'unless it is enabled', lessons: {} },
    { name: 'if no lessons are written', lessons: { reflectOnEnd: true, write: 'off' as const } },
  ])('is not written $name', async ({ lessons }) => {
    const { asked, record } = await ran([0.95], FORM, { lessons });
    expect(asked).not.toContain('lesson');
    expect(record.lessons).toEqual([]);
  });
});

describe('an unusable end reflection', () => {
  test.each([
    { name: 'prose', reflection: 'It went well.', says: 'no JSON object' },
    { name: 'a missing field', reflection: { whatHappened: 'x' }, says: 'whatWentWrong' },
    { name: 'an unavailable model', reflection: 'DOWN', says: 'It is down.' },
  ])(
    '$name: the outcome is unchanged, no lesson is stored, and the reason is recorded',
    async ({ reflection, says }) => {
      const { record, runId, asked } = await ran([0.5, 0.5], reflection);
      expect(record).toMatchObject({
        status: 'finished',
        convergenceReason: 'max_iterations',
        failure: null,
        lessons: [],
      });
      expect(asked.filter((role) => role === 'lesson')).toHaveLength(1);
      const atRunEnd = record.versions
        .flatMap(({ critiques }) => critiques)
        .filter(({ trigger }) => trigger === 'run_end');
      expect(atRunEnd).toHaveLength(1);
      expect(atRunEnd[0]?.text).toContain(says);
      const events = await listRunEvents(db.database(), runId, 0, 100);
      expect(events.filter(({ type }) => type === 'lesson_not_stored')).toHaveLength(1);
      expect(record.tokenUsage.total).toBe(15 * asked.length);
    },
  );
});

test('a worker killed between the response and its save does not repeat the call', async () => {
  const { runId, context, record } = await ran([0.5, 0.5], FORM);
  const { pool } = db.database();
  // Simulates a worker that crashed before it saved the response and everything after it.
  const [reflection] = record.lessons;
  await pool.query('DELETE FROM lessons WHERE id = $1', [reflection?.id]);
  await pool.query(
    `UPDATE runs SET status = 'running', step = step - 1, finished_at = NULL, convergence_reason = NULL,
       event_number = event_number - 3, event_lines = regexp_replace(event_lines, '[^\\n]*\\n$', ''),
       policy_lines = regexp_replace(policy_lines, '[^\\n]*\\n$', '') WHERE id = $1`,
    [runId],
  );
  const again = model([0.5], 'never asked');
  await performRun(testWorkerContext(context, again.call), runId);
  expect(again.asked).toEqual([]);
  const found = await findRun(db.database(), runId);
  expect(found?.record).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
  expect(found?.record.lessons).toHaveLength(1);
  expect(found?.record.tokenUsage).toEqual(record.tokenUsage);
});

describe('a run with alwaysReflect', () => {
  const ALWAYS = { lessons: { alwaysReflect: true } };
  const lessonPrompt = ({ asked, prompts }: { asked: string[]; prompts: string[] }) => prompts[asked.indexOf('lesson')];

  test.each([
    { mode: 'revise' as const, scores: [0.5, 0.5], kind: 'failure', lessons: 1 },
    { mode: 'revise' as const, scores: [0.5, 0.7], kind: 'partial', lessons: 1 },
    { mode: 'retry' as const, scores: [0.5, 0.5], kind: 'failure', lessons: 2 },
    { mode: 'retry' as const, scores: [0.5, 0.7], kind: 'partial', lessons: 2 },
  ])('writes a complete $kind reflection in $mode mode', async ({ mode, scores, kind, lessons }) => {
    const { record } = await ran(scores, FORM, { ...ALWAYS, mode, maxAttempts: 2 });
    expect(record.lessons).toHaveLength(lessons);
    expect(record.lessons.at(-1)?.kind).toBe(kind);
    expect(Object.keys(record.lessons.at(-1)?.fields ?? {})).toHaveLength(kind === 'failure' ? 5 : 3);
  });

  test('writes none for a solved run', async () => {
    const { record, asked } = await ran([0.95], FORM, ALWAYS);
    expect(record.lessons).toEqual([]);
    expect(asked).not.toContain('lesson');
  });

  test.each([
    { failing: 'generate', version: 0, expected: 'The run made no version.' },
    { failing: 'revise', version: 0, expected: 'The best result, version 0:' },
    { failing: 'reflect', version: 0, expected: 'The best result, version 0:' },
  ])(
    'writes one after a model failure in $failing; the run continues when resumed',
    async ({ failing, version, expected }) => {
      const made = await ran([0.5, 0.5], FORM, ALWAYS, failing);
      const { record, runId, context, stored } = made;
      expect(record).toMatchObject({ status: 'failed', convergenceReason: 'model_failed' });
      expect(record.failure?.message).toContain('I cannot do that.');
      expect(record.lessons).toMatchObject([{ kind: 'failure', version }]);
      expect(stored.history.lessons).toMatchObject([{ kind: 'failure', fields: { tacticalRule: 'Always outline.' } }]);
      expect(lessonPrompt(made)).toContain('I cannot do that.');
      expect(lessonPrompt(made)).toContain(expected);
      expect(record.tokenUsage.total).toBe(15 * made.asked.length);
      const events = await listRunEvents(db.database(), runId, 0, 100);
      expect(events.slice(-4).map(({ type }) => type)).toEqual([
        'failed',
        'lesson_produced',
        'lesson_persisted',
        'stopped',
      ]);
      unwrap(await resumeRun(context, TESTER, runId));
      await performRun(testWorkerContext(context, model([0.95], FORM).call), runId);
      const again = await findRun(db.database(), runId);
      expect(again?.record).toMatchObject({ convergenceReason: 'quality_met' });
    },
  );

  test('records the reason if the reflection call fails too, without changing the outcome', async () => {
    const { record, asked } = await ran([0.5], 'DOWN', ALWAYS, 'generate');
    expect(record).toMatchObject({ status: 'failed', convergenceReason: 'model_failed', lessons: [] });
    expect(asked).toEqual(['generate', 'lesson']);
    expect(record.openCritiques.map(({ text }) => text)).toEqual([expect.stringContaining('It is down.')]);
  });

  test('writes one after a budget stop, within the budget', async () => {
    const { record, asked } = await ran([0.5, 0.5], FORM, { ...ALWAYS, budget: { maxCalls: 4 } });
    expect(record).toMatchObject({ convergenceReason: 'call_budget', lessons: [{ kind: 'failure', version: 0 }] });
    expect(asked).toEqual(['generate', 'evaluate', 'reflect', 'lesson']);
  });

  test('skips the call if it would exceed the experiment budget, and records this', async () => {
    const { record, asked } = await ran([0.5, 0.5], FORM, { ...ALWAYS, budget: { maxExperimentTokens: 31 } });
    expect(record).toMatchObject({ convergenceReason: 'experiment_budget', lessons: [] });
    expect(asked).not.toContain('lesson');
    expect(record.openCritiques).toMatchObject([
      { trigger: 'run_end', text: expect.stringContaining('no lesson was stored') },
    ]);
  });

  test('a worker killed between the failure and the reflection writes it on restart without repeating other calls', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, { ...SETTINGS, ...ALWAYS }, { input: 'Explain it' });
    const stopping = new AbortController();
    const first = model([0.5], FORM, 'generate');
    const crashing: ModelCaller = async (request, options) => {
      const outcome = await first.call(request, options);
      if (request.role !== 'lesson') return outcome;
      stopping.abort();
      const failure = { kind: 'aborted' as const, message: 'stopped', remedy: '', status: null };
      return { ok: false, failure: { ...failure, ...SPEND } };
    };
    await expect(performRun(testWorkerContext(context, crashing, stopping.signal), runId)).rejects.toThrow();
    expect((await findRun(db.database(), runId))?.record.status).not.toBe('failed');
    const second = model([0.5], FORM, 'generate');
    await performRun(testWorkerContext(context, second.call), runId);
    expect(second.asked).toEqual(['lesson']);
    const found = await findRun(db.database(), runId);
    expect(found?.record).toMatchObject({ status: 'failed', convergenceReason: 'model_failed' });
    expect(found?.record.lessons).toMatchObject([{ kind: 'failure', version: 0 }]);
  });
});
