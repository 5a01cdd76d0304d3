import { describe, expect, test } from 'vitest';
import { appendResult } from './append-result.ts';
import type { History } from './history.ts';
import {
  decided,
  decisionOf,
  failureOf,
  historyOf,
  judged,
  settingsOf,
  type VersionGiven,
} from './history-of.test-support.ts';
import { nextStep } from './next-step.ts';
import type { ExperimentSettings, ExperimentSettingsInput } from './settings.ts';
import { type Script, simulateRun } from './simulate-run.test-support.ts';
import { forEveryRun } from './simulated-runs.test-support.ts';
import type { Step } from './step.ts';

const NOW = new Date('2026-01-05T12:00:00.000Z');
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, durationMs: 100 };

const NOTHING_HAPPENS: Script = {
  ...{ scores: [], outputs: [], issues: [], answers: [], interruptedAt: [], cutOffAt: [], failAt: [] },
  ...{ verdicts: [], overrides: {}, isReflectionUnread: false, resumes: 0 },
};

function wanted(changes: Partial<ExperimentSettingsInput> = {}): ExperimentSettings {
  const lessons = { reflectOnEnd: true, ...changes.lessons };
  return settingsOf({ maxIterations: 2, convergence: null, qualityThreshold: 0.9, ...changes, lessons });
}

function next(settings: ExperimentSettings, versions: VersionGiven[]): Step {
  return nextStep(historyOf(settings, versions, SPEND), settings, NOW);
}

/** Returns the history after its due reflection, either written or unreadable. */
function reflected(history: History, settings: ExperimentSettings, isUnread = false): History {
  const step = nextStep(history, settings, NOW);
  if (step.type !== 'write_reflection') throw new Error(`${step.type} is due`);
  const made = { ...SPEND, version: step.version, text: 'text', createdAt: NOW.toISOString(), step: history.step };
  return appendResult(
    history,
    isUnread
      ? { type: 'critique', critique: { ...made, trigger: 'run_end', issues: [], suggestions: [] } }
      : { type: 'lesson', lesson: { ...made, id: 'reflection', kind: step.kind, fields: {} } },
  );
}

describe('the format depends on the outcome of the run', () => {
  test.each<{ name: string; settings?: Partial<ExperimentSettingsInput>; versions: VersionGiven[]; step: object }>([
    { name: 'solved by the first version', versions: [0.95], step: { kind: 'success', version: 0 } },
    { name: 'solved later, by its last version', versions: [0.5, 0.95], step: { kind: 'success', version: 1 } },
    { name: 'unsolved without improvement', versions: [0.5, 0.5, 0.4], step: { kind: 'failure', version: 1 } },
    {
      name: 'unsolved with improvement: the best version',
      versions: [0.5, 0.7, 0.6],
      step: { kind: 'partial', version: 1 },
    },
    {
      name: 'an early stop counts like the cap',
      settings: { maxIterations: 9, convergence: {} },
      versions: [0.5, 0.5, 0.5],
      step: { kind: 'failure', version: 2 },
    },
    {
      name: 'attempts, in addition to their lessons',
      settings: { mode: 'retry', maxAttempts: 2, qualityThreshold: 1 },
      versions: [0, 0],
      step: { kind: 'failure', version: 1 },
    },
    {
      name: 'a cut-off first version does not count',
      settings: { mode: 'retry', maxAttempts: 3, qualityThreshold: 1 },
      versions: [{ interrupted: true }, 0.3, 0.4],
      step: { kind: 'partial', version: 2 },
    },
    {
      name: 'staged like every lesson',
      settings: { lessons: { write: 'stage' } },
      versions: [0.95],
      step: { kind: 'success' },
    },
  ])('$name', ({ settings, versions, step }) => {
    expect(next(wanted(settings), versions)).toMatchObject({ type: 'write_reflection', ...step });
  });
});

describe('no reflection is written', () => {
  test.each<{ name: string; settings: ExperimentSettings; versions: VersionGiven[]; reason: string }>([
    {
      name: 'unless it is enabled',
      settings: wanted({ lessons: { reflectOnEnd: false } }),
      versions: [0.95],
      reason: 'quality_met',
    },
    {
      name: 'if no lessons are written',
      settings: wanted({ lessons: { write: 'off' } }),
      versions: [0.95],
      reason: 'quality_met',
    },
    {
      name: 'if a budget ended the run',
      settings: wanted({ budget: { maxTokens: 31 } }),
      versions: [0.5],
      reason: 'token_budget',
    },
    {
      name: 'if it would exceed a budget',
      settings: wanted({ budget: { maxTokens: 31 } }),
      versions: [0.95],
      reason: 'quality_met',
    },
    {
      name: 'if nothing could be scored',
      settings: wanted({ maxIterations: 0 }),
      versions: [{ judged: [{ score: null }, { score: null }] }],
      reason: 'evaluation_failed',
    },
    {
      name: 'if every version was cut off',
      settings: wanted({ mode: 'retry', maxAttempts: 1 }),
      versions: [{ interrupted: true }],
      reason: 'max_iterations',
    },
  ])('$name', ({ settings, versions, reason }) => {
    expect(next(settings, versions)).toMatchObject({ type: 'stop', ending: { reason } });
  });

  test('if a model failed', () => {
    const settings = wanted();
    const history = historyOf(settings, [0.5]);
    expect(nextStep({ ...history, failure: failureOf('model_failed', history) }, settings, NOW)).toMatchObject({
      type: 'stop',
      ending: { reason: 'model_failed' },
    });
  });

  test.each([
    { name: 'stopped at a pause', decision: 'stop' as const, pauseId: 'p', type: 'stop' },
    { name: 'stopped by a person outside a pause', decision: 'stop' as const, pauseId: null, type: 'stop' },
    { name: 'accepted after the end', decision: 'accept' as const, pauseId: null, type: 'stop' },
    {
      name: 'accepted at a pause, which counts as solved',
      decision: 'accept' as const,
      pauseId: 'p',
      type: 'write_reflection',
    },
  ])('$name', ({ decision, pauseId, type }) => {
    const settings = wanted();
    const history = decided(historyOf(settings, [0.5, 0.6]), decisionOf(decision, { version: 0, pauseId }));
    const step = nextStep(history, settings, NOW);
    expect(step.type).toBe(type);
    if (step.type === 'write_reflection') expect(step).toMatchObject({ kind: 'success', version: 0 });
  });
});

describe('mandatory reflection', () => {
  const always = (changes: Partial<ExperimentSettingsInput> = {}) =>
    wanted({ ...changes, lessons: { reflectOnEnd: false, alwaysReflect: true, ...changes.lessons } });
  const failed = (settings: ExperimentSettings, versions: VersionGiven[]) => {
    const history = historyOf(settings, versions, SPEND);
    return { ...history, failure: failureOf('model_failed', history) };
  };

  test.each<{ name: string; settings?: Partial<ExperimentSettingsInput>; versions: VersionGiven[]; step: object }>([
    {
      name: 'an unsolved run, also without reflectOnEnd',
      versions: [0.5, 0.5, 0.4],
      step: { kind: 'failure', version: 1, reason: 'max_iterations' },
    },
    {
      name: 'a partially solved run',
      versions: [0.5, 0.7, 0.6],
      step: { kind: 'partial', version: 1 },
    },
    {
      name: 'in retry mode, in addition to the lessons of attempts',
      settings: { mode: 'retry', maxAttempts: 2, qualityThreshold: 1 },
      versions: [0, 0],
      step: { kind: 'failure', version: 1 },
    },
    {
      name: 'after a budget, with the reserved call',
      settings: { budget: { maxCalls: 1 } },
      versions: [0.5, 0.6],
      step: { kind: 'partial', version: 1, reason: 'call_budget', withheldBy: [] },
    },
    {
      name: 'after an exhausted budget: only a notice',
      settings: { budget: { maxTokens: 31 } },
      versions: [0.5],
      step: { kind: 'failure', version: 0, reason: 'token_budget', withheldBy: ['token_budget'] },
    },
    {
      name: 'if nothing could be scored',
      settings: { maxIterations: 0 },
      versions: [{ judged: [{ score: null }, { score: null }] }],
      step: { kind: 'failure', version: 0, reason: 'evaluation_failed' },
    },
    {
      name: 'if every version was cut off',
      settings: { mode: 'retry', maxAttempts: 1 },
      versions: [{ interrupted: true }],
      step: { kind: 'failure', version: 0, reason: 'max_iterations' },
    },
  ])('$name', ({ settings, versions, step }) => {
    expect(next(always(settings), versions)).toMatchObject({ type: 'write_reflection', ...step });
  });

  test.each<{ name: string; versions: VersionGiven[]; step: object }>([
    { name: 'before the first version', versions: [], step: { kind: 'failure', version: 0 } },
    { name: 'of an unsolved run: its best version', versions: [0.5, 0.7, 0.6], step: { kind: 'partial', version: 1 } },
    { name: 'before any score', versions: [{ judged: [] }], step: { kind: 'failure', version: 0 } },
  ])('after a model failure, $name', ({ versions, step }) => {
    const settings = always();
    const history = failed(settings, versions);
    const due = nextStep(history, settings, NOW);
    expect(due).toMatchObject({ type: 'write_reflection', reason: 'model_failed', ...step });
    for (const isUnread of [false, true])
      expect(nextStep(reflected(history, settings, isUnread), settings, NOW)).toMatchObject({
        ...{ type: 'stop', ending: { reason: 'model_failed' } },
      });
  });

  test.each<{ name: string; settings?: Partial<ExperimentSettingsInput>; versions: VersionGiven[]; reason: string }>([
    { name: 'a solved run, for which it is optional', versions: [0.95], reason: 'quality_met' },
    {
      name: 'a run that never started',
      settings: { budget: { maxCalls: 1 } },
      versions: [],
      reason: 'call_budget',
    },
  ])('but not $name', ({ settings, versions, reason }) => {
    expect(next(always(settings), versions)).toMatchObject({ type: 'stop', ending: { reason } });
  });

  test('is not written after an internal error', () => {
    const settings = always();
    const history = historyOf(settings, [0.5], SPEND);
    const broken = { ...history, failure: { ...failureOf('model_failed', history), kind: 'internal_error' as const } };
    expect(nextStep(broken, settings, NOW)).toMatchObject({ type: 'stop', ending: { reason: 'internal_error' } });
  });

  test('is written again only if a resumed run adds versions', () => {
    const settings = always();
    const done = reflected(failed(settings, [0.5, 0.7]), settings);
    const resumed = { ...decided(done, decisionOf('resume')), failure: null };
    const again = { ...resumed, failure: failureOf('model_failed', resumed) };
    expect(nextStep(again, settings, NOW).type).toBe('stop');
  });

  test.each([3, 4, 5, 6, 7, 8, 9, 10])('reserves one of a budget of %i calls', (maxCalls) => {
    const settings = always({ mode: 'retry', maxAttempts: 9, qualityThreshold: 1, budget: { maxCalls } });
    const { history, ending, steps } = simulateRun(settings, { ...NOTHING_HAPPENS, scores: [0] });
    expect(ending.reason).toBe('call_budget');
    expect(steps.at(-2)).toMatchObject({ type: 'write_reflection', withheldBy: [] });
    expect(history.calls).toBeLessThanOrEqual(maxCalls);
  });
});

test('alwaysReflect requires lessons to be written', () => {
  expect(() => settingsOf({ lessons: { alwaysReflect: true, write: 'off' } })).toThrow('must be learn or stage');
});

describe('after the reflection', () => {
  test.each([false, true])('the run ends as it would without it; unreadable: %s', (isUnread) => {
    const settings = wanted();
    const history = historyOf(settings, [0.5, 0.7, 0.6], SPEND);
    const without = nextStep(history, { ...settings, lessons: { ...settings.lessons, reflectOnEnd: false } }, NOW);
    expect(nextStep(reflected(history, settings, isUnread), settings, NOW)).toEqual(without);
  });

  test("a reviewer's score that changes the outcome requires a new reflection", () => {
    const settings = wanted();
    const history = reflected(historyOf(settings, [0.95]), settings);
    const lower = judged(history, settings, 0, { score: 0.2, by: 'person' });
    expect(nextStep(lower, settings, NOW)).toMatchObject({ type: 'proceed', version: 0 });
  });

  test('the lesson of an attempt is still written', () => {
    const settings = wanted({ mode: 'retry', maxAttempts: 2, qualityThreshold: 1 });
    const history = reflected(historyOf(settings, [0, 0]), settings);
    const granted = decided(history, decisionOf('continue', { version: 1, iteration: 1, pauseId: 'p' }));
    expect(nextStep(granted, settings, NOW)).toEqual({ type: 'write_lesson', version: 1 });
  });
});

test('every simulated run writes at most one per version and format, only if enabled', () => {
  let written = 0;
  forEveryRun(
    ({ history, steps }, settings) => {
      const { reflectOnEnd, alwaysReflect, write } = settings.lessons;
      // A resumed run repeats a mandatory reflection, so counts since the last resume are compared.
      const resumes = (step: number) =>
        alwaysReflect
          ? history.decisions.filter((one) => one.decision === 'resume' && one.step <= step).length
          : 'any number of';
      const made = [
        ...history.lessons.filter(({ kind }) => kind !== 'lesson').map((one) => ({ ...one, form: one.kind })),
        ...history.critiques.filter(({ trigger }) => trigger === 'run_end').map((one) => ({ ...one, form: 'none' })),
      ];
      const moments = made.map(({ form, version, step }) => `${form} ${version} after ${resumes(step)} resumes`);
      expect(new Set(moments).size).toBe(moments.length);
      expect(steps.filter((step) => step.type === 'write_reflection')).toHaveLength(moments.length);
      if ((!reflectOnEnd && !alwaysReflect) || write === 'off') expect(moments).toEqual([]);
      written += history.lessons.filter(({ kind }) => kind !== 'lesson').length;
    },
    { numRuns: 400, seed: 1 },
  );
  expect(written).toBeGreaterThan(20);
});
