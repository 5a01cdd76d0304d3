import { describe, expect, test } from 'vitest';
import { overrideScore, restoredScore } from './code-decision.ts';
import type { Decision, History } from './history.ts';
import { decided, decisionOf, historyOf, settingsOf } from './history-of.test-support.ts';
import { effectiveEvaluation } from './scored-versions.ts';

const settings = settingsOf();
const moment = (minute: number) => new Date(Date.UTC(2026, 0, 5, 12, minute));
const WHO = { actor: 'Ada', reason: 'I misread it.' };

function overridden(history: History, score: number, minute: number): History {
  const given = { version: 0, score, criterion: null, actor: 'Ada', reason: null };
  const evaluation = overrideScore(history, settings, given, moment(minute));
  if (evaluation === null) throw new Error('there is a score to override');
  const at = evaluation.createdAt;
  return decided(
    { ...history, evaluations: [...history.evaluations, evaluation] },
    decisionOf('override', { version: 0, score, at }),
  );
}

function restored(history: History, minute: number): History {
  const evaluation = restoredScore(history, 0, WHO, moment(minute));
  if (evaluation === null) throw new Error('there is a score to restore');
  const decision: Decision = decisionOf('restore', { version: 0, at: evaluation.createdAt });
  return decided({ ...history, evaluations: [...history.evaluations, evaluation] }, decision);
}

const first = historyOf(settings, [{ score: 0.4, issues: [{ criterion: null, text: 'Dull' }] }]);

describe('restoring an overridden score', () => {
  test('restores the machine score and records the person who restored it', () => {
    const history = restored(overridden(first, 0.9, 1), 2);
    expect(effectiveEvaluation(history, 0)).toMatchObject({
      by: 'person',
      ...WHO,
      overallScore: 0.4,
      satisfactory: false,
      issues: [{ text: 'Dull' }],
      costUsd: 0,
    });
    expect(history.evaluations.map(({ overallScore }) => overallScore)).toEqual([0.4, 0.9, 0.4]);
  });

  test('works after several overrides and can be repeated', () => {
    const once = restored(overridden(overridden(first, 0.9, 1), 0.8, 2), 3);
    expect(effectiveEvaluation(once, 0)?.overallScore).toBe(0.4);
    expect(effectiveEvaluation(restored(overridden(once, 0.7, 4), 5), 0)?.overallScore).toBe(0.4);
  });

  test.each<[string, History]>([
    ['no score was overridden', first],
    ['the score was already restored', restored(overridden(first, 0.9, 1), 2)],
    ['the version was not evaluated', historyOf(settings, [{ judged: [] }])],
  ])('is rejected: %s', (_name, history) => {
    expect(restoredScore(history, 0, WHO, moment(9))).toBeNull();
  });

  test('removes the score of a version that was not fully scored before', () => {
    const asked = settingsOf({ criteria: [{ name: 'taste', evaluator: 'human' }] });
    const unscored = historyOf(asked, [{ judged: [{ by: 'machine' as const, criteria: { taste: null } }] }]);
    const history = restored(overridden(unscored, 0.9, 1), 2);
    expect(effectiveEvaluation(history, 0)).toMatchObject({ status: 'partial', overallScore: null });
    expect(restoredScore(history, 0, WHO, moment(3))).toBeNull();
    expect(effectiveEvaluation(overridden(history, 0.8, 4), 0)?.overallScore).toBe(0.8);
  });

  test("restores a reviewer's requested score", () => {
    const asked = settingsOf({ criteria: [{ name: 'taste', evaluator: 'human' }] });
    const judged = [
      { by: 'machine' as const, criteria: { taste: null } },
      { by: 'person' as const, criteria: { taste: 0.7 } },
    ];
    const history = historyOf(asked, [{ judged }]);
    expect(effectiveEvaluation(restored(overridden(history, 0.1, 1), 2), 0)?.overallScore).toBe(0.7);
  });
});
