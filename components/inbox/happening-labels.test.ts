import { expect, test } from 'vitest';
import { turnFixture } from '#components/run/agents/agent-fixture.test-support.ts';
import { evaluationFixture, runFixture, versionFixture } from '#components/run/run.test-support.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { continuationLabel, pauseSummary } from './happening-labels.ts';

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
  expect(continuationLabel(run([0.5, 0.7], PAUSE), { ...SETTINGS, mode: 'retry' })).toContain('attempt 3 starts');
  expect(continuationLabel(run([0.5], { ...PAUSE, hook: 'onRevision' }), SETTINGS)).toBe(
    'v1 is scored unchanged, and the run continues.',
  );
  expect(continuationLabel(runFixture([], { waitingFor: TOOL_PAUSE }), SETTINGS)).toMatch(/^the agent uses http_get/);
  expect(continuationLabel(run([0.5], null), SETTINGS)).toBeNull();
});
