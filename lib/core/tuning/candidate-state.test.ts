import { describe, expect, test } from 'vitest';
import type { ProposalProblem } from '../history.ts';
import { type PromptGiven, tuningHistory, withTries } from '../tuning-history.test-support.ts';
import { type CandidateState, candidateState, candidates } from './candidate-state.ts';
import { effectiveScores } from './case-scores.ts';
import { minibatchResult } from './minibatch.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const COUNTS = { train: 3, validation: 2 };
const GIVEN: PromptGiven = { scores: { 0: 0.5, 1: 0, 2: 1, 3: 0.5, 4: 0.5 }, evaluated: true };
const problem = (kind: ProposalProblem['kind']): ProposalProblem => ({ kind, text: kind });

describe('state of a prompt', () => {
  test.each<{ name: string; given: PromptGiven; state: CandidateState; notWorse?: CandidateState }>([
    { name: 'written by hand', given: { origin: 'edited' }, state: 'by_hand' },
    { name: 'taken from another run', given: { origin: 'branched' }, state: 'by_hand' },
    { name: 'not scored yet', given: { minibatch: [0, 1, 2] }, state: 'untried' },
    { name: 'scored in part', given: { minibatch: [0, 1, 2], scores: { 0: 1, 1: 1 } }, state: 'untried' },
    { name: 'unscored on a case', given: { minibatch: [0, 1], scores: { 0: 1, 1: null } }, state: 'untried' },
    { name: 'better', given: { minibatch: [0, 1], scores: { 0: 0.5, 1: 0.25 } }, state: 'accepted' },
    { name: 'worse', given: { minibatch: [0, 1], scores: { 0: 0.25, 1: 0 } }, state: 'rejected' },
    {
      name: 'equal',
      given: { minibatch: [0, 1], scores: { 0: 0, 1: 0.5 } },
      state: 'rejected',
      notWorse: 'accepted',
    },
    {
      name: 'validated',
      given: { minibatch: [0], scores: { 0: 1, 3: 0, 4: 0 }, evaluated: true },
      state: 'candidate',
    },
    { name: 'held back', given: { minibatch: [0], problems: [problem('truncated')] }, state: 'held_back' },
    {
      name: 'only flagged',
      given: { minibatch: [0], problems: [problem('copied_example')], scores: { 0: 1 } },
      state: 'accepted',
    },
  ])('$name: $state', ({ given, state, notWorse = state }) => {
    for (const [acceptance, expected] of [
      ['strict', state],
      ['not_worse', notWorse],
    ] as const) {
      const settings = tuningSettingsOf({ tune: { acceptance } });
      const history = tuningHistory(settings, COUNTS, [GIVEN, given]);
      const [first, second] = history.versions;
      if (first === undefined || second === undefined) throw new Error('two versions were given');
      expect(candidateState(history, settings, first)).toBe('given');
      expect(candidateState(history, settings, second)).toBe(expected);
    }
  });

  test('candidates are validated prompts of any origin', () => {
    const settings = tuningSettingsOf();
    const history = tuningHistory(settings, COUNTS, [
      GIVEN,
      { minibatch: [0], scores: { 0: 0 } },
      { origin: 'edited', scores: { 3: 1, 4: 1 }, evaluated: true },
      { minibatch: [1], scores: { 1: 1 } },
    ]);
    expect(candidates(history).map(({ number }) => number)).toEqual([0, 2]);
  });
});

describe('example scores', () => {
  test('the last score of a case counts; a missing one does not replace it', () => {
    const settings = tuningSettingsOf();
    let history = tuningHistory(settings, COUNTS, [{ scores: { 0: null, 1: 0.5 } }]);
    history = withTries(withTries(history, 0, { 0: 0.25 }), 0, { 1: null });
    const scores = [...effectiveScores(history, 0)].map(([position, { score }]) => [position, score]);
    expect(scores).toEqual([
      [0, 0.25],
      [1, 0.5],
    ]);
  });

  test('prompts with identical text share scores, others do not', () => {
    const settings = tuningSettingsOf();
    const history = tuningHistory(settings, COUNTS, [
      { output: 'A', scores: { 0: 1 } },
      { output: 'A', origin: 'edited', scores: { 1: 0 } },
      { output: 'B', origin: 'edited' },
    ]);
    expect([...effectiveScores(history, 0).keys()]).toEqual([0, 1]);
    expect([...effectiveScores(history, 1).keys()]).toEqual([0, 1]);
    expect(effectiveScores(history, 2).size).toBe(0);
    const dropped = {
      ...history,
      versions: history.versions.map((one) => ({ ...one, output: '', outputDropped: true })),
    };
    expect([...effectiveScores(dropped, 1).keys()]).toEqual([1]);
  });
});

test('compares minibatch sums after rounding', () => {
  const settings = tuningSettingsOf();
  const history = tuningHistory(settings, { train: 2 }, [
    { scores: { 0: 0.1, 1: 0.2 } },
    { minibatch: [0, 1], scores: { 0: 0.3, 1: 0 } },
  ]);
  const [first, second] = history.versions;
  if (first === undefined || second === undefined) throw new Error('two versions were given');
  expect(minibatchResult(history, second)).toEqual({ positions: [0, 1], before: 0.3, after: 0.3 });
  expect(candidateState(history, settings, second)).toBe('rejected');
  expect(minibatchResult(history, first)).toBeNull();
});
