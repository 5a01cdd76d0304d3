import { describe, expect, test } from 'vitest';
import { decided, decisionOf, failureOf, historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { endingOf } from './next-step.ts';
import { runRecordSchema } from './run-record.ts';
import type { ExperimentSettingsInput } from './settings.ts';
import { isPractice, type RunFacts, toRunRecord } from './to-run-record.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const AT = '2026-01-05T10:00:00.000Z';
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.25, durationMs: 100 };
const FACTS: RunFacts = {
  id: ID,
  number: 1,
  experimentId: ID,
  experimentVersion: 2,
  batchId: ID,
  branchedFrom: null,
  case: { input: 'Explain it', reference: null, tags: [], metadata: {} },
  status: 'finished',
  ending: null,
  createdAt: AT,
  startedAt: AT,
  finishedAt: AT,
  lastEvent: 9,
};

function recordOf(versions: VersionGiven[], changes: Partial<ExperimentSettingsInput> = {}) {
  const settings = settingsOf(changes);
  const history = historyOf(settings, versions, SPEND);
  const ending = endingOf(history, settings, new Date(AT), ['plateau', 'max_iterations'], null);
  return { settings, history, record: toRunRecord({ ...FACTS, ending }, history, settings) };
}

describe('toRunRecord', () => {
  test.each<[string, VersionGiven[]]>([
    ['no versions', []],
    ['an unjudged draft', [{ judged: [] }]],
    ['unscored', [{ judged: [{}, {}] }]],
    ['several versions', [0.5, 0.7, { judged: [{ score: 0.4 }, { by: 'person', score: 0.6 }] }]],
  ])('%s: matches the API schema exactly', (_name, versions) => {
    const { record } = recordOf(versions);
    expect(runRecordSchema.parse(record)).toEqual(record);
  });

  test('includes final and best version, their outputs, and the pick of each rule', () => {
    const { record, history } = recordOf([0.5, 0.85, 0.6]);
    expect(record).toMatchObject({
      bestVersion: 1,
      finalVersion: 2,
      bestOutput: history.versions[1]?.output,
      finalOutput: history.versions[2]?.output,
      bestByRule: { highest_score: 1, latest: 2, first_satisfactory: 1, weighted_recency: 1 },
      convergenceReason: 'plateau',
      alsoHeld: ['max_iterations'],
      iterationsUsed: 2,
    });
  });

  test.each<[string, VersionGiven[]]>([
    ['a version that could not be scored', [{ judged: [{}, {}] }]],
    ['only cut-off attempts', [{ interrupted: true }, { interrupted: true }, { interrupted: true }]],
    ['unjudged attempts', [{ judged: [] }, { judged: [] }]],
  ])('for %s there is no best version; the final version stays the last', (_name, versions) => {
    const { record, history } = recordOf(versions, { mode: 'retry' });
    const last = history.versions.at(-1);
    expect(record).toMatchObject({ bestVersion: null, bestOutput: null });
    expect(record).toMatchObject({ finalVersion: last?.number, finalOutput: last?.output });
  });

  test('total spend is the sum of versions and failed calls', () => {
    const { settings, history } = recordOf([0.5, 0.6]);
    const failed = { ...history, lostSpend: SPEND, failure: failureOf('model_failed', history) };
    const record = toRunRecord(FACTS, failed, settings);
    expect(record.versions.map(({ totalSpend }) => totalSpend.tokenUsage.total)).toEqual([45, 30]);
    expect(record).toMatchObject({ tokenUsage: { input: 60, output: 30, total: 90 }, costUsd: 1.5, unpriced: false });
    expect(record.failure).toEqual({
      kind: 'model_failed',
      cause: 'unavailable',
      role: 'generate',
      provider: 'practice',
      model: 'practice-1',
      message: 'no answer',
      remedy: 'try later',
    });
  });

  test('omits the cost of a call without a known price and flags it', () => {
    const { settings, history } = recordOf([0.5]);
    const [version] = history.versions;
    if (version === undefined) throw new Error('no version');
    const record = toRunRecord(FACTS, { ...history, versions: [{ ...version, costUsd: null }] }, settings);
    expect(record).toMatchObject({ costUsd: 0.25, unpriced: true });
  });

  test('issues have a state per version', () => {
    const vague = [{ criterion: null, text: 'Vague' }];
    const { record } = recordOf([
      { score: 0.5, issues: vague },
      { score: 0.5, issues: vague },
      0.5,
      { score: 0.5, issues: vague },
    ]);
    expect(
      record.versions.map(({ evaluations }) => evaluations[0]?.issues.map(({ id, state }) => `${id} ${state}`)),
    ).toEqual([['i1 opened'], ['i1 open'], [], ['i1 again']]);
  });

  test('an override is listed next to the machine score', () => {
    const { settings, history } = recordOf([{ judged: [{ score: 0.5 }, { by: 'person', score: 0.9 }] }]);
    const record = toRunRecord(FACTS, decided(history, decisionOf('override', { version: 0, score: 0.9 })), settings);
    expect(record.versions[0]?.evaluations.map(({ by, overallScore, actor }) => [by, overallScore, actor])).toEqual([
      ['machine', 0.5, null],
      ['person', 0.9, 'Ada'],
    ]);
    expect(record.decisions).toMatchObject([{ decision: 'override', score: 0.9, by: 'person' }]);
    expect(JSON.stringify(record)).not.toContain('"step"');
  });
});

test.each<[string, Partial<ExperimentSettingsInput>, boolean]>([
  ['the generator', {}, true],
  [
    'only the judge',
    { generator: { provider: 'p', model: 'm' }, evaluatorModel: { provider: 'practice', model: 'practice-1' } },
    true,
  ],
  ['no role', { generator: { provider: 'p', model: 'm' } }, false],
])('isPractice: %s', (_name, changes, practice) => {
  expect(isPractice(settingsOf(changes))).toBe(practice);
});
