import { expect, test } from 'vitest';
import { turnFixture } from '#components/run/agents/agent-fixture.test-support.ts';
import { evaluationFixture, runFixture, versionFixture } from '#components/run/run.test-support.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { InboxItem } from '#lib/inbox/queries.ts';
import { claimLabel, continuationLabel, itemLabel, pauseSummary } from './inbox-labels.ts';

const ITEM = {
  kind: 'verdict',
  mode: 'revise',
  hook: 'onReflection',
  asks: [],
  wouldStopAs: null,
  toolCall: null,
  scores: [0.5, 0.7],
  version: 1,
  versionCount: 2,
  bestScore: 0.7,
} satisfies Partial<InboxItem>;

test.each<[string, Partial<InboxItem>, string]>([
  ['would stop', { wouldStopAs: 'diminishing' }, 'before finishing: would stop as diminishing'],
  ['continues', {}, 'v1 at 0.70, before revision 2'],
  ['has a falling score', { scores: [0.83, 0.58] }, 'v1 fell from 0.83 to 0.58, before revision 2'],
  [
    'has a falling score in an attempt',
    { mode: 'retry', scores: [0.83, 0.58] },
    'v1 fell from 0.83 to 0.58, before attempt 3',
  ],
  ['is unscored', { scores: [0.5, null] }, 'before revision 2'],
  ['is a draft', { hook: 'onGeneration', scores: [], version: 0 }, 'Draft v0 waits for a review'],
  ['is an attempt', { mode: 'retry', hook: 'onGeneration', scores: [0.5], version: 1 }, 'Attempt 2 waits for a review'],
  ['is a revision', { hook: 'onRevision', scores: [0.5], version: 1 }, 'Revision v1 waits for a review'],
  [
    'needs approval of a tool call',
    { kind: 'tool', hook: 'onToolCall', scores: [], toolCall: { tool: 'http_get', arguments: '{}' } },
    'the agent wants to use http_get',
  ],
  ['needs one score', { kind: 'score', asks: ['taste'] }, 'needs your score for taste'],
  ['needs two scores', { kind: 'score', asks: ['taste', 'tone'] }, 'needs your score for taste and tone'],
  [
    'is escalated',
    { kind: 'escalated', mode: 'retry', versionCount: 5, bestScore: 0.78 },
    'unsolved after 5 attempts, best 0.78',
  ],
  [
    'is escalated without a score',
    { kind: 'escalated', mode: 'retry', versionCount: 1, bestScore: null },
    'unsolved after 1 attempt, no scores',
  ],
])('an item that %s', (_name, changes, expected) => {
  expect(itemLabel({ ...ITEM, ...changes }, true)).toBe(expected);
});

test("a person who may not score sees that a reviewer's score is needed", () => {
  expect(itemLabel({ ...ITEM, kind: 'score', asks: ['taste'] }, false)).toBe('needs a reviewer’s score for taste');
});

const NOW = new Date('2026-11-22T06:10:00.000Z');
test.each([
  ['another person', { who: 'another_person' as const, since: '2026-11-22T06:08:00.000Z' }, 'Ada opened it 2 min ago'],
  [
    'the same person in another window',
    { who: 'another_window' as const, since: '2026-11-22T06:09:50.000Z' },
    'Another window opened it just now',
  ],
  ['this window', { who: 'you' as const, since: '2026-11-22T06:08:00.000Z' }, null],
])('labels a claim of %s', (_name, claim, expected) => {
  expect(claimLabel({ ...claim, name: 'Ada' }, NOW)).toBe(expected);
});

test('returns null without a claim', () => expect(claimLabel(null, NOW)).toBeNull());

const SETTINGS = settingsSchema.parse({
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'clarity', evaluator: 'llm' }],
  qualityThreshold: 0.8,
});
const PAUSE = {
  pauseId: '00000000-0000-4000-8000-000000000001',
  hook: 'onReflection',
  version: 1,
  wouldStopAs: null,
  asks: [],
  toolCall: null,
  since: '2026-11-21T12:00:00.000Z',
  expiresAt: null,
} satisfies RunRecord['waitingFor'];
const CALL = { id: '0.0', tool: 'http_get', arguments: '{}' };
const TOOL_PAUSE = { ...PAUSE, hook: 'onToolCall', version: 0, toolCall: CALL } satisfies RunRecord['waitingFor'];

const run = (scores: (number | null)[], waitingFor: RunRecord['waitingFor']) =>
  runFixture(
    scores.map((score, number) => versionFixture(number, [evaluationFixture(score)])),
    { waitingFor },
  );

test.each<[string, RunRecord, string[]]>([
  [
    'has a rising score and would continue',
    run([0.5, 0.7], PAUSE),
    ['v1 scored 0.70 against a threshold of 0.80, 0.20 above v0.', 'By its rules, the run would continue.'],
  ],
  [
    'has a falling score and would stop',
    run([0.7, 0.5], { ...PAUSE, wouldStopAs: 'plateau' }),
    [
      'v1 scored 0.50 against a threshold of 0.80, 0.20 below v0.',
      'By its rules, the run would stop here (plateau): no rise over the last 2 versions.',
    ],
  ],
  [
    'has only its first version',
    run([0.5], { ...PAUSE, version: 0 }),
    ['v0 scored 0.50 against a threshold of 0.80.', 'By its rules, the run would continue.'],
  ],
  [
    'needs a score',
    run([0.5, null], { ...PAUSE, asks: [{ criterion: 'taste', question: null }] }),
    ['v1 has no overall score.', 'The run needs your score for taste.'],
  ],
  [
    'waits for a review of its draft before scoring',
    runFixture([versionFixture(0, [])], { waitingFor: { ...PAUSE, hook: 'onGeneration', version: 0 } }),
    ['Draft v0 waits for a review before it is scored.'],
  ],
  [
    'waits for the approval of a tool call',
    runFixture([], { waitingFor: TOOL_PAUSE, turns: [turnFixture(0, { calls: [CALL] })] }),
    [
      'The agent wants to use http_get.',
      'So far for v0: 1 turn, 1 tool call, 100 tokens, $0.0010.',
      'The run waits until someone decides.',
    ],
  ],
  ['does not wait', run([0.5], null), []],
])('a run that %s', (_name, record, expected) => {
  expect(pauseSummary(record, SETTINGS, true)).toEqual(expected);
});

test.each<[string, RunRecord, string]>([
  [
    'needs a score',
    run([0.5, null], { ...PAUSE, asks: [{ criterion: 'taste', question: null }] }),
    'The run needs a reviewer’s score for taste.',
  ],
])('people who may not decide see no request to decide: a run that %s', (_name, record, last) => {
  expect(pauseSummary(record, SETTINGS, false).at(-1)).toBe(last);
});

test('the label for continuing uses the average of the versions so far', () => {
  expect(continuationLabel(run([0.5, 0.7], PAUSE), SETTINGS)).toBe(
    'the run writes the next revision. The average so far is 600 tokens, $0.0050 per version.',
  );
  expect(continuationLabel({ ...run([0.5, 0.7], PAUSE), costUsd: 0, unpriced: true }, SETTINGS)).toContain(
    'The average so far is 600 tokens per version.',
  );
  expect(continuationLabel(run([0.5, 0.7], PAUSE), { ...SETTINGS, mode: 'retry' })).toContain('attempt 3 starts');
  expect(continuationLabel(run([0.5], { ...PAUSE, hook: 'onRevision' }), SETTINGS)).toBe(
    'v1 is scored unchanged, and the run continues.',
  );
  expect(continuationLabel(runFixture([], { waitingFor: TOOL_PAUSE }), SETTINGS)).toMatch(/^the agent uses http_get/);
  expect(continuationLabel(run([0.5], null), SETTINGS)).toBeNull();
});
