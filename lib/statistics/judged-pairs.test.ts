import { describe, expect, test } from 'vitest';
import type { Decision, History } from '#lib/core/history.ts';
import { decided, decisionOf, historyOf, judged, settingsOf } from '#lib/core/history-of.test-support.ts';
import { type JudgedPair, judgedPairs } from './judged-pairs.ts';

const JUDGE = settingsOf({
  qualityThreshold: 0.8,
  criteria: [
    { name: 'tone', threshold: 0.5, evaluator: 'llm' },
    { name: 'depth', threshold: 0.7, evaluator: 'llm' },
  ],
});
/** The judge scores 0.9 and 0.8, which passes. */
const GOOD = historyOf(JUDGE, [{ criteria: { tone: 0.9, depth: 0.8 } }]);

function ofPeople(history: History, ...decisions: Partial<Decision>[]): JudgedPair[] {
  const decidedHistory = decided(history, ...decisions.map((one) => decisionOf('override', { version: 0, ...one })));
  return judgedPairs(decidedHistory, JUDGE, { reference: null });
}

describe('human scores', () => {
  test.each<[string, Partial<Decision>[], Partial<JudgedPair>[]]>([
    ['no decisions', [], []],
    [
      'an overall score below the threshold',
      [{ score: 0.3 }],
      [{ criterion: null, judge: 0.85, judgePass: true, truth: 0.3, truthPass: false }],
    ],
    [
      'an overall score above the threshold',
      [{ score: 0.8 }],
      [{ judge: 0.85, judgePass: true, truth: 0.8, truthPass: true }],
    ],
    [
      'a criterion score compared with its own threshold',
      [{ criterion: 'depth', score: 0.6 }],
      [{ criterion: 'depth', judge: 0.8, judgePass: true, truth: 0.6, truthPass: false }],
    ],
    ['the last score counts', [{ score: 0.3 }, { score: 0.9 }], [{ truth: 0.9, truthPass: true }]],
    [
      'scores of two criteria count separately',
      [
        { criterion: 'tone', score: 0.1 },
        { criterion: 'depth', score: 1 },
      ],
      [
        { criterion: 'tone', truthPass: false },
        { criterion: 'depth', truthPass: true },
      ],
    ],
    ['a restored score does not count', [{ score: 0.3 }, { decision: 'restore' }], []],
    ['a score after a restore counts', [{ score: 0.3 }, { decision: 'restore' }, { score: 0.4 }], [{ truth: 0.4 }]],
    ['a score by a webhook does not count', [{ score: 0.3, by: 'webhook' }], []],
    [
      'accept counts as passed, without a score',
      [{ decision: 'accept' }],
      [{ criterion: null, judge: 0.85, truth: null, truthPass: true }],
    ],
    ['revise counts as not passed', [{ decision: 'revise' }], [{ judgePass: true, truth: null, truthPass: false }]],
    ['continue does not count', [{ decision: 'continue' }], []],
    [
      'a score takes precedence over accept',
      [{ decision: 'accept' }, { score: 0.3 }],
      [{ truth: 0.3, truthPass: false }],
    ],
    ['a score of another version does not count', [{ version: 1, score: 0.3 }], []],
    ['a score of a removed criterion does not count', [{ criterion: 'gone', score: 0.3 }], []],
  ])('%s', (_name, decisions, expected) => {
    const found = ofPeople(GOOD, ...decisions);
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected.map((one) => ({ version: 0, by: 'person', ...one })));
  });

  test('compares the original machine score, not the overridden one', () => {
    const overridden = judged(GOOD, JUDGE, 0, { criteria: { tone: 0.1, depth: 0.1 }, by: 'person' });
    expect(ofPeople(overridden, { score: 0.1 })).toMatchObject([{ judge: 0.85, truth: 0.1 }]);
  });

  test('compares a requested human score with the combined score of the judge', () => {
    const settings = settingsOf({
      qualityThreshold: 0.8,
      criteria: [
        { name: 'tone', weight: 3, evaluator: 'llm', threshold: 0.5 },
        { name: 'depth', weight: 1, evaluator: 'checklist', threshold: 0.5, config: { items: ['is deep'] } },
        { name: 'taste', evaluator: 'human', threshold: 0.6 },
      ],
    });
    const history = historyOf(settings, [{ criteria: { tone: 0.9, depth: 0.5, taste: null } }]);
    const decidedHistory = decided(history, decisionOf('score', { version: 0, criterion: 'taste', score: 0.4 }));
    expect(judgedPairs(decidedHistory, settings, { reference: null })).toMatchObject([
      { by: 'person', criterion: 'taste', judge: 0.8, judgePass: true, truth: 0.4, truthPass: false },
    ]);
  });

  test('excludes versions that the judge could not score', () => {
    const unscored = historyOf(JUDGE, [{ criteria: { tone: 0.9, depth: null } }]);
    expect(ofPeople(unscored, { score: 0.3 }, { decision: 'accept' }, { criterion: 'depth', score: 0.2 })).toEqual([]);
    expect(ofPeople(unscored, { criterion: 'tone', score: 0.2 })).toMatchObject([{ judge: 0.9, truth: 0.2 }]);
  });
});

describe('automatic checks', () => {
  const settings = settingsOf({
    qualityThreshold: 0.8,
    criteria: [
      { name: 'tone', threshold: 0.5, evaluator: 'llm' },
      { name: 'answer', threshold: 1, evaluator: 'reference', config: { match: 'exact' } },
    ],
  });
  const history = historyOf(settings, [{ criteria: { tone: 0.9, answer: 0 } }, { criteria: { tone: 0.6, answer: 1 } }]);

  test("pairs the judge's score with the reference check: false pass and false fail", () => {
    expect(judgedPairs(history, settings, { reference: 'Paris' })).toMatchObject([
      { version: 0, by: 'check', criterion: 'answer', judge: 0.9, judgePass: true, truth: 0, truthPass: false },
      { version: 1, by: 'check', criterion: 'answer', judge: 0.6, judgePass: false, truth: 1, truthPass: true },
    ]);
  });

  test('returns none without a reference or without a judge', () => {
    expect(judgedPairs(history, settings, { reference: null })).toEqual([]);
    const unjudged = { ...settings, criteria: settings.criteria.filter(({ name }) => name === 'answer') };
    expect(judgedPairs(history, unjudged, { reference: 'Paris' })).toEqual([]);
  });

  test('combines several checks into one truth that passes only if all pass', () => {
    const more = settingsOf({
      criteria: [
        { name: 'tone', threshold: 0.5, evaluator: 'llm' },
        { name: 'answer', threshold: 1, evaluator: 'reference', config: { match: 'exact' } },
        { name: 'tests', threshold: 0.5, evaluator: 'python_tests', config: { tests: 'def test_it(): assert True' } },
        { name: 'form', threshold: 1, evaluator: 'regex', config: { pattern: 'x' } },
      ],
    });
    const given = historyOf(more, [{ criteria: { tone: 0.9, answer: 0, tests: 1, form: 0 } }]);
    expect(judgedPairs(given, more, { reference: 'Paris' })).toMatchObject([
      { criterion: null, truth: 0.5, truthPass: false },
    ]);
  });
});
