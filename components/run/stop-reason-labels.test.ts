import { describe, expect, test } from 'vitest';
import type { RunRecord } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { runFixture, evaluationFixture as scored, versionFixture as version } from './run.test-support.ts';
import {
  runStatusLabel,
  stopFilterName,
  stopLabels,
  stopMeaning,
  stopNameBy,
  stopTitle,
} from './stop-reason-labels.ts';

const settings = settingsSchema.parse({
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'clarity', evaluator: 'llm', threshold: 0.7 }],
  budget: { maxCostUsd: 0.05, maxTokens: 20_000, maxSeconds: 90 },
});

function run(scores: (number | null)[], changes = {}) {
  return runFixture(
    scores.map((score, number) => version(number, [judged(score)])),
    changes,
  );
}

function judged(score: number | null, by: 'machine' | 'person' = 'machine') {
  return scored(score, { by, satisfactory: score !== null && score >= 0.8 });
}

function decisionBy(by: 'person' | 'webhook' | 'timeout', actor: string | null): RunRecord['decisions'][number] {
  return {
    hook: 'onReflection',
    version: 0,
    iteration: 0,
    decision: 'stop',
    by,
    actor,
    reason: 'Too late.',
    score: null,
    criterion: null,
    guidance: null,
    toolCallId: null,
    toolArguments: null,
    seen: null,
    pauseId: null,
    at: '2026-01-05T10:00:00.000Z',
  };
}

test('imported runs do not count as ended by a limit', () => {
  const imported = {
    ...settings,
    mode: 'retry' as const,
    maxAttempts: 50,
    generator: { ...settings.generator, provider: 'imported' },
  };
  const long = run(Array.from({ length: 200 }, () => 0.1));
  expect(stopLabels('max_iterations', long, imported)).toMatchObject({
    title: 'Stopped: no more attempts',
    detail: '200 attempts',
  });
  expect(stopMeaning('max_iterations', imported)).toBe('No attempt after the last one was imported');
  expect(stopNameBy('max_iterations', null, true)).toBe('no more attempts');
  expect(stopFilterName('max_iterations')).toBe('cap reached or no more attempts');
});

describe('stopLabels includes the numbers of the run', () => {
  test.each([
    {
      reason: 'quality_met' as const,
      run: run([0.5, 0.85]),
      title: 'Stopped: quality met',
      detail: '0.85 ≥ 0.80, each criterion at least its threshold',
    },
    {
      reason: 'quality_met' as const,
      run: run([0.5, 0.85, 0.6]),
      title: 'Stopped: quality met',
      detail: '0.85 ≥ 0.80, each criterion at least its threshold',
    },
    {
      reason: 'quality_met' as const,
      run: runFixture([version(0, [judged(0.85), judged(0.4, 'person')]), version(1, [judged(0.6)])]),
      title: 'Stopped: quality met',
      detail: 'now 0.40, by a person',
    },
    {
      reason: 'quality_met' as const,
      run: runFixture([version(0, [judged(0.85), judged(0.7)])]),
      title: 'Stopped: quality met',
      detail: 'now 0.70',
    },
    {
      reason: 'plateau' as const,
      run: run([0.74, 0.7, 0.74]),
      title: 'Stopped: plateau',
      detail: 'best 0.74 did not rise in v1, v2',
    },
    {
      reason: 'diminishing' as const,
      run: run([0.74, 0.76, 0.78]),
      title: 'Stopped: diminishing',
      detail: 'best +0.04 over v1, v2 (needs +0.05)',
    },
    {
      reason: 'diminishing' as const,
      run: run([0.74, null, 0.76, 0.78]),
      title: 'Stopped: diminishing',
      detail: 'best +0.04 over v2, v3 (needs +0.05)',
    },
    {
      reason: 'oscillation' as const,
      run: run([0.66, 0.71, 0.65, 0.7]),
      title: 'Stopped: oscillation',
      detail: '0.66 0.71 0.65 0.70',
    },
    {
      reason: 'max_iterations' as const,
      run: run([0.1, 0.2, 0.4, 0.6]),
      title: 'Stopped: cap reached',
      detail: '3 of 3 revisions',
    },
    {
      reason: 'max_iterations' as const,
      run: run([0.1, 0.2, 0.4, 0.6], { alsoHeld: ['call_budget'] }),
      title: 'Stopped: cap reached',
      detail: '3 of 3 revisions, the last not fully evaluated: call budget',
    },
    {
      reason: 'cost_budget' as const,
      run: run([0.1]),
      title: 'Stopped: cost budget',
      detail: '$0.0100 of $0.0500 spent',
    },
    {
      reason: 'time_budget' as const,
      run: run([0.1]),
      title: 'Stopped: time budget',
      detail: '5.0 s of 1 min 30 s used',
    },
    {
      reason: 'model_failed' as const,
      run: run([0.1, 0.2]),
      title: 'Failed: model failed',
      detail: 'can be resumed after v1',
    },
    { reason: 'model_failed' as const, run: run([]), title: 'Failed: model failed', detail: 'can be resumed' },
    {
      reason: 'evaluation_failed' as const,
      run: run([0.1], { failure: { kind: 'unscored', role: null, message: 'It was not scored.', remedy: '' } }),
      title: 'Failed: unscored twice',
      detail: 'can be resumed after v0',
    },
    {
      reason: 'evaluation_failed' as const,
      run: run([0.1], { failure: { kind: 'no_reference', role: null, message: 'It has no reference.', remedy: '' } }),
      title: 'Failed: unscored twice',
      detail: 'the case has no reference to score against',
    },
    {
      reason: 'user_accepted' as const,
      run: run([0.1], { finalVersion: 0 }),
      title: 'Accepted by a person',
      detail: 'v0',
    },
    {
      reason: 'user_stopped' as const,
      run: run([0.1], { decisions: [decisionBy('timeout', null)] }),
      title: 'Stopped: nobody answered in time',
      detail: 'Too late.',
    },
    {
      reason: 'user_stopped' as const,
      run: run([0.1], { decisions: [decisionBy('webhook', 'release-gate')] }),
      title: 'Stopped by the webhook release-gate',
      detail: 'Too late.',
    },
    {
      reason: 'user_stopped' as const,
      run: run([0.1], { decisions: [decisionBy('person', 'Ada')] }),
      title: 'Stopped by a person',
      detail: 'Too late.',
    },
  ])('$reason: $detail', ({ reason, run: record, title, detail }) => {
    expect(stopLabels(reason, record, settings)).toMatchObject({ title, detail });
  });
});

test.each(STOP_REASONS)('%s has labels, also for a run without versions', (reason) => {
  expect(stopTitle(reason)).not.toBe('');
  expect(stopMeaning(reason, settings)).not.toBe('');
  expect(`${stopLabels(reason, runFixture([]), settings).detail}`).not.toMatch(/undefined|NaN|Infinity/);
});

test.each([
  ['user_accepted', { by: 'person', actor: 'Ada' }, 'Accepted by a person'],
  ['user_accepted', { by: 'webhook', actor: 'gate' }, 'Accepted by the webhook gate'],
  ['user_stopped', { by: 'timeout', actor: null }, 'Stopped: nobody answered in time'],
  ['user_stopped', null, 'Stopped by a person'],
  ['plateau', null, 'plateau'],
] as const)('names %s in a table by %o', (reason, endedBy, words) => {
  expect(stopNameBy(reason, endedBy)).toBe(words);
});

const WAITING = { status: 'waiting', convergenceReason: null, decisions: [] } as const;

test('a waiting run waits for you if you may decide, otherwise for a reviewer', () => {
  expect(runStatusLabel({ ...WAITING, decisions: [] }, true)).toBe('Waiting for you');
  expect(runStatusLabel({ ...WAITING, decisions: [] }, false)).toBe('Waiting for a reviewer');
});

test('other states read the same for everyone', () => {
  for (const mayDecide of [true, false])
    expect(runStatusLabel({ status: 'running', convergenceReason: null, decisions: [] }, mayDecide)).toBe('Running');
});
