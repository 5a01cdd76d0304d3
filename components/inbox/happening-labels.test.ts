import { expect, test } from 'vitest';
import { turnFixture } from '#components/run/agents/agent-fixture.ts';
import { evaluationFixture, runFixture, versionFixture } from '#components/run/run.test-support.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { goingOnLabel, happeningLabel } from './happening-labels.ts';

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
    'rose and would go on',
    run([0.5, 0.7], PAUSE),
    ['v1 scored 0.70 against a threshold of 0.80, 0.20 above v0.', 'Without you it would go on.'],
  ],
  [
    'fell and would stop',
    run([0.7, 0.5], { ...PAUSE, wouldStopAs: 'plateau' }),
    [
      'v1 scored 0.50 against a threshold of 0.80, 0.20 below v0.',
      'Without you it would stop here as plateau: no rise over the last 2 versions.',
    ],
  ],
  [
    'has only its first version',
    run([0.5], { ...PAUSE, version: 0 }),
    ['v0 scored 0.50 against a threshold of 0.80.', 'Without you it would go on.'],
  ],
  [
    'asks a score',
    run([0.5, null], { ...PAUSE, asks: [{ criterion: 'taste', question: null }] }),
    ['v1 has no overall score.', 'It waits for your score of taste.'],
  ],
  [
    'waits before its draft is judged',
    runFixture([versionFixture(0, [])], { waitingFor: { ...PAUSE, hook: 'onGeneration', version: 0 } }),
    ['Draft v0 waits to be looked at before it is judged.', 'Without you it would be judged as it is.'],
  ],
  [
    'waits with a tool that its agent wants to use',
    runFixture([], { waitingFor: TOOL_PAUSE, turns: [turnFixture(0, { calls: [CALL] })] }),
    [
      'The agent wants to use http_get.',
      'On its way to v0 it has come to 1 turn, 1 use of a tool, 100 tokens, $0.0010.',
      'Without you it waits.',
    ],
  ],
  ['does not wait', run([0.5], null), []],
])('a run that %s', (_name, record, expected) => {
  expect(happeningLabel(record, SETTINGS, true)).toEqual(expected);
});

test.each<[string, RunRecord, string]>([
  ['would go on', run([0.5, 0.7], PAUSE), 'Without an answer it would go on.'],
  [
    'would stop',
    run([0.7, 0.5], { ...PAUSE, wouldStopAs: 'plateau' }),
    'Without an answer it would stop here as plateau: no rise over the last 2 versions.',
  ],
  [
    'asks a score',
    run([0.5, null], { ...PAUSE, asks: [{ criterion: 'taste', question: null }] }),
    'It waits for a person’s score of taste.',
  ],
  [
    'waits with a tool',
    runFixture([], { waitingFor: TOOL_PAUSE, turns: [turnFixture(0, { calls: [CALL] })] }),
    'Without an answer it waits.',
  ],
])('who may not decide is not spoken to as if they could: a run that %s', (_name, record, last) => {
  expect(happeningLabel(record, SETTINGS, false).at(-1)).toBe(last);
});

test('what going on comes to is by what the versions so far came to', () => {
  expect(goingOnLabel(run([0.5, 0.7], PAUSE), SETTINGS)).toBe(
    'the next revision is made. Each so far came to about 600 tokens, $0.0050.',
  );
  expect(goingOnLabel(run([0.5, 0.7], PAUSE), { ...SETTINGS, mode: 'retry' })).toContain('attempt 3 is made');
  expect(goingOnLabel(run([0.5], { ...PAUSE, hook: 'onRevision' }), SETTINGS)).toBe(
    'v1 is judged as it is, and the run goes on by its rules.',
  );
  expect(goingOnLabel(runFixture([], { waitingFor: TOOL_PAUSE }), SETTINGS)).toMatch(/^http_get is used/);
  expect(goingOnLabel(run([0.5], null), SETTINGS)).toBeNull();
});
