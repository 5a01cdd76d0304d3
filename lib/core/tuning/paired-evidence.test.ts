import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { bestVersion } from '../best-version.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { candidateState, candidates } from './candidate-state.ts';
import { pairedEvidence, proposalEvidence } from './paired-evidence.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const settings = tuningSettingsOf();

/** Returns scores by position, starting at `start`. */
function scoresFrom(start: number, scores: number[]): Record<number, number> {
  return Object.fromEntries(scores.map((score, at) => [start + at, score]));
}

/** A proposal that won its three training cases, with both prompts' scores on the validation cases. */
function validated(before: number[], after: number[]) {
  return tuningHistory(settings, { train: 3, validation: before.length }, [
    { scores: { 0: 0, 1: 0, 2: 0, ...scoresFrom(3, before) }, evaluated: true },
    { minibatch: [0, 1, 2], scores: { 0: 1, 1: 1, 2: 1, ...scoresFrom(3, after) }, evaluated: true },
  ]);
}

function times(count: number, value: number): number[] {
  return Array.from({ length: count }, () => value);
}

describe('evidence for a proposal against its parent', () => {
  test.each<{ name: string; before: number[]; after: number[]; verdict: string; p: number }>([
    {
      name: 'three better of three',
      before: times(3, 0),
      after: times(3, 1),
      verdict: 'not_enough_evidence',
      p: 0.25,
    },
    {
      name: 'five better of five',
      before: times(5, 0),
      after: times(5, 1),
      verdict: 'not_enough_evidence',
      p: 0.0625,
    },
    { name: 'six better of six', before: times(6, 0), after: times(6, 1), verdict: 'better', p: 0.03125 },
    { name: 'six worse of six', before: times(6, 1), after: times(6, 0), verdict: 'worse', p: 0.03125 },
    {
      name: 'seven better and one worse of twenty',
      before: [...times(7, 0), ...times(13, 1)],
      after: [...times(19, 1), 0],
      verdict: 'not_enough_evidence',
      p: 0.0703,
    },
    { name: 'no changes', before: times(8, 1), after: times(8, 1), verdict: 'not_enough_evidence', p: 1 },
    {
      name: 'many slightly better, and one so much worse that the mean drops',
      before: [...times(9, 0.5), 1],
      after: [...times(9, 0.51), 0],
      verdict: 'not_enough_evidence',
      p: 0.0215,
    },
  ])('$name: $verdict', ({ before, after, verdict, p }) => {
    const history = validated(before, after);
    const [, made] = history.versions;
    const evidence = made && proposalEvidence(history, made);
    expect(evidence).toMatchObject({ against: 0, n: before.length, verdict });
    expect(evidence?.p).toBeCloseTo(p, 4);
  });

  test('excludes the cases of its minibatch, also if all are training cases', () => {
    const history = tuningHistory(settings, { train: 9 }, [
      { scores: scoresFrom(0, times(9, 0)), evaluated: true },
      { minibatch: [0, 1, 2], scores: scoresFrom(0, times(9, 1)), evaluated: true },
    ]);
    const [, made] = history.versions;
    expect(made && proposalEvidence(history, made)).toMatchObject({ n: 6, verdict: 'better' });
  });

  test('rejects a proposal shown to be worse: neither a parent nor returned', () => {
    const history = validated(times(6, 1), times(6, 0));
    const [, made] = history.versions;
    expect(made && candidateState(history, settings, made)).toBe('rejected');
    expect(candidates(history).map(({ number }) => number)).toEqual([0]);
    expect(bestVersion(history, 'latest')).toBe(0);
  });

  test('calls at most 5% of proposals with random scores better or worse', () => {
    const runs = 2_000;
    let called = 0;
    for (let run = 0; run < runs; run++) {
      const lot = (side: string) =>
        Array.from({ length: 20 }, (_case, at) => (seededNumber(side, String(run), String(at)) < 0.5 ? 0 : 1));
      const history = tuningHistory(settings, { train: 0, validation: 20 }, [
        { scores: scoresFrom(0, lot('before')) },
        { origin: 'edited', scores: scoresFrom(0, lot('after')) },
      ]);
      const { verdict } = pairedEvidence(
        history,
        1,
        0,
        history.cases.map(({ position }) => position),
      );
      if (verdict !== 'not_enough_evidence') called++;
    }
    expect(called / runs).toBeLessThanOrEqual(0.05);
    expect(called).toBeGreaterThan(0);
  });
});
