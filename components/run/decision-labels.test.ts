import { expect, test } from 'vitest';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatLocalMoment } from '#lib/format.ts';
import { decidedMeanwhileLabel, pauseLabel } from './decision-labels.ts';
import { runFixture, versionFixture } from './run.test-support.ts';

const at = '2026-11-20T14:03:00.000Z';
const decided: RunRecord['decisions'][number] = {
  ...{ hook: 'onReflection', version: 0, iteration: 0, decision: 'accept', by: 'person', actor: 'Ada' },
  ...{ reason: null, score: null, criterion: null, guidance: null, toolCallId: null, toolArguments: null },
  ...{ seen: null, pauseId: 'p1', at },
};
const waiting: RunRecord['waitingFor'] = {
  ...{ pauseId: 'p2', hook: 'onReflection', version: 1, wouldStopAs: null, asks: [], toolCall: null },
  ...{ since: at, expiresAt: null },
};

test.each([
  { name: 'a person', by: 'person', actor: 'Ada', words: 'by Ada' },
  { name: 'a webhook', by: 'webhook', actor: 'gate', words: 'by the webhook gate' },
  { name: 'the timeout', by: 'timeout', actor: null, words: 'after the timeout' },
  { name: 'code', by: 'code', actor: null, words: 'by code' },
] as const)('shows the decision, decider and time of a pause that $name already decided', ({ by, actor, words }) => {
  const run = runFixture([versionFixture(0, [])], { decisions: [{ ...decided, by, actor }], waitingFor: waiting });
  expect(decidedMeanwhileLabel(run, 'p1')).toBe(
    `Already decided: accept v0, ${words}, ${formatLocalMoment(decided.at)}.`,
  );
});

test('returns null for the current pause and if there is no pause id', () => {
  const run = runFixture([versionFixture(0, [])], { decisions: [decided], waitingFor: waiting });
  expect(decidedMeanwhileLabel(run, 'p2')).toBeNull();
  expect(decidedMeanwhileLabel(run, undefined)).toBeNull();
});

test('a pause that ended without a decision is no longer waiting', () => {
  const run = runFixture([versionFixture(0, [])], { status: 'stopped' });
  expect(decidedMeanwhileLabel(run, 'p1')).toBe('The run no longer waits at this pause.');
});

type Pause = Parameters<typeof pauseLabel>[0];
const PAUSE: Pause = { hook: 'onReflection', version: 1, asks: [], wouldStopAs: null };
const ASKS = [{ criterion: 'taste', question: null }];

test.each<[string, Pause, string]>([
  ['continues', PAUSE, 'By its rules, the run would continue with the next revision.'],
  ['would stop', { ...PAUSE, wouldStopAs: 'plateau' }, 'By its rules, the run would stop (plateau).'],
  ['needs a score', { ...PAUSE, asks: ASKS }, 'It needs your score for taste.'],
  ['is not scored yet', { ...PAUSE, hook: 'onRevision' }, 'Revision v1 waits for a review before it is scored.'],
])('to people who may decide, a run that %s', (_name, pause, expected) => {
  expect(pauseLabel(pause, { mode: 'revise' }, true)).toBe(expected);
});

test.each<[string, Pause, string]>([
  ['needs a score', { ...PAUSE, asks: ASKS }, 'It needs a reviewer’s score for taste.'],
])('to people who may not decide, a run that %s', (_name, pause, expected) => {
  expect(pauseLabel(pause, { mode: 'revise' }, false)).toBe(expected);
});
