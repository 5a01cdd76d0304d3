import { describe, expect, test } from 'vitest';
import { appendResult } from './append-result.ts';
import { decisionOf, failureOf, historyOf, settingsOf } from './history-of.test-support.ts';
import { endingOf } from './next-step.ts';
import { NO_SPEND } from './token-usage.ts';

const SPEND = { tokenUsage: { input: 3, output: 4, total: 7 }, costUsd: 0.5, durationMs: 200 };
const settings = settingsOf();
const before = historyOf(settings, [0.5, { judged: [] }]);
const now = new Date('2026-01-05T10:00:00.000Z');
const ending = endingOf(before, settings, now, ['user_stopped'], null);

describe('appendResult', () => {
  test('a result adds a step and its duration to the working time', () => {
    const critique = {
      ...SPEND,
      version: 1,
      trigger: 'completion' as const,
      text: 'x',
      issues: [],
      suggestions: [],
      createdAt: now.toISOString(),
      step: before.step,
    };
    const after = appendResult(before, { type: 'critique', critique });
    expect(after).toEqual({
      ...before,
      step: before.step + 1,
      activeMs: 200,
      critiques: [...before.critiques, critique],
    });
  });

  test('a failure adds no step but keeps its cost', () => {
    const failure = { ...failureOf('model_failed', before), ...SPEND };
    const after = appendResult(before, { type: 'failure', failure });
    expect(after).toEqual({ ...before, failure, activeMs: 200, lostSpend: SPEND });
    const again = appendResult(after, { type: 'failure', failure: { ...failure, costUsd: null } });
    expect(again.lostSpend).toEqual({ tokenUsage: { input: 6, output: 8, total: 14 }, costUsd: null, durationMs: 400 });
  });

  test('an end adds no step, so a resumed run finds the responses of the open step', () => {
    const decision = decisionOf('stop', { by: 'policy' });
    expect(appendResult(before, { type: 'end', ending, decision })).toEqual({
      ...before,
      decisions: [...before.decisions, decision],
    });
    expect(appendResult(before, { type: 'end', ending, decision: null })).toEqual(before);
  });

  test('keeps a pause', () => {
    const pause = {
      pauseId: 'p',
      hook: 'onReflection' as const,
      version: 0,
      wouldStopAs: null,
      asks: [],
      toolCall: null,
      since: now.toISOString(),
      expiresAt: null,
    };
    expect(appendResult(before, { type: 'pause', pause })).toEqual({ ...before, step: before.step + 1, pause });
  });

  test('does not mutate the previous history', () => {
    const copy = structuredClone(before);
    appendResult(before, { type: 'failure', failure: { ...failureOf('model_failed', before), ...NO_SPEND } });
    expect(before).toEqual(copy);
  });
});
