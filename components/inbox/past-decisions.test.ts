import { expect, test } from 'vitest';
import { pastDecisionLabel } from '#components/run/decision-labels.ts';
import type { DecisionInput } from '#components/run/run-actions.ts';
import { decisionOf } from '#lib/core/history-of.test-support.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { answeredHere, decisionKey, pauseEnd } from './past-decisions.ts';

type Decision = RunRecord['decisions'][number];
const RUN = '00000000-0000-4000-8000-000000000001';
const PAUSE = '00000000-0000-4000-8000-000000000002';

const decided = (changes: Partial<Decision>): Decision =>
  decisionOf('accept', { version: 0, pauseId: PAUSE, ...changes });
const score = (criterion: string) => decided({ decision: 'score', criterion, score: 1 });
const override = decided({ decision: 'override', pauseId: null, score: 1 });
const keyOf = (decision: Decision) => decisionKey(RUN, decision);

test.each<[string, Decision[], Decision[], { here: boolean; last: Decision | null }]>([
  ['another person’s decision', [decided({})], [], { here: false, last: decided({}) }],
  ['a decision sent here', [decided({})], [decided({})], { here: true, last: decided({}) }],
  [
    'another person’s decision after an override sent here',
    [override, decided({})],
    [override],
    { here: false, last: decided({}) },
  ],
  ['an override sent here', [override], [override], { here: true, last: override }],
  ['another person’s override', [override], [], { here: false, last: override }],
  [
    'the last of two scores, sent by another person',
    [score('a'), score('b')],
    [score('a')],
    { here: false, last: score('b') },
  ],
  [
    'the last of two scores, both sent here',
    [score('a'), score('b')],
    [score('a'), score('b')],
    { here: true, last: score('b') },
  ],
  ['no known decision', [], [], { here: false, last: null }],
  [
    'no decision of this pause, only one of an earlier pause',
    [decided({ pauseId: RUN })],
    [],
    { here: false, last: null },
  ],
])('a pause ended by %s', (_name, decisions, sent, { here, last }) => {
  expect(pauseEnd({ id: RUN, decisions }, PAUSE, new Set(sent.map(keyOf)))).toEqual({ here, decision: last });
});

test('a sent decision and its stored form have the same key', () => {
  const input: DecisionInput = { decision: 'score', pauseId: PAUSE, criterion: 'a', score: 1 };
  expect(decisionKey(RUN, input)).toBe(keyOf(score('a')));
  expect(decisionKey(RUN, { decision: 'override' })).toBe(keyOf(override));
  expect(decisionKey(RUN, { decision: 'accept', pauseId: PAUSE })).toBe(keyOf(decided({})));
});

test.each<[DecisionInput, string]>([
  [{ decision: 'accept', version: 3 }, 'accepted v3'],
  [{ decision: 'continue' }, 'continued'],
  [{ decision: 'revise', version: 1 }, 'guided v1'],
  [{ decision: 'revert', version: 0 }, 'reverted to v0'],
  [{ decision: 'stop' }, 'stopped'],
  [{ decision: 'score', criterion: 'taste', score: 0.9 }, 'scored taste 0.90'],
  [{ decision: 'override', score: 0.5 }, 'scored it 0.50'],
])('%j reads as %s', (input, expected) => {
  expect(pastDecisionLabel(input)).toBe(expected);
});

test('a run answered here is identified by the pause it waited at', () => {
  const run = { id: RUN, decisions: [override, decided({}), decided({ pauseId: RUN })] };
  expect(answeredHere(run, new Set([PAUSE]))).toBe(PAUSE);
  expect(answeredHere(run, new Set())).toBeNull();
});
