import type { History, Version } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { repeatedScores, scoresOfText, validationPositions } from './cases-of.ts';
import { dueExample, type TryStep } from './due-try.ts';
import { shuffled } from './minibatch.ts';
import { type KnownNoise, type SequentialVerdict, sequentialTest } from './sequential-test.ts';

type Tuned = Pick<ExperimentSettings, 'tune'>;

/** Cases that the first prompt is tried on a second time, to see how much scores vary. */
const NOISE_CASES = 8;
/** Cases of a step of the test, so that a proposal without gain is not tried on many more. */
const CASES_A_LOOK = 4;
/** Cases before which no proposal is called better: fewer may be all of one kind. */
const LEAST_CASES = 10;

/** Whether proposals have to pass the sequential test: the settings ask for it, and scores vary from one try to the next. */
export function isTested(history: History, settings: Tuned): boolean {
  return (measuredNoise(history, settings)?.variance ?? 0) > 0;
}

/**
 * The second tries of the first prompt that show how much scores vary; null when they are made, where the first prompt is not validated
 * yet, and where the settings ask for no test.
 */
export function dueNoiseTry(history: History, settings: Tuned): TryStep | null {
  if (!measuresNoise(settings)) return null;
  const positions = noisePositions(history, settings);
  return dueExample(history, 0, positions, 'validation', 1) ?? dueExample(history, 0, positions, 'validation', 2);
}

/**
 * How much scores vary: the mean square of the difference between the first and the second try of the first prompt on the same case. It
 * stays what it is, whatever is tried later, so that verdicts stay too. Null until it is measured.
 */
export function measuredNoise(history: History, settings: Tuned): KnownNoise | null {
  if (!measuresNoise(settings)) return null;
  const scores = repeatedScores(scoresOfText(history, 0));
  const squares = noisePositions(history, settings).flatMap((position) => {
    const [first, second] = scores.get(position) ?? [];
    return first === undefined || second === undefined ? [] : [(second - first) ** 2];
  });
  if (squares.length === 0 || squares.length < noisePositions(history, settings).length) return null;
  return { variance: squares.reduce((sum, square) => sum + square, 0) / squares.length, pairs: squares.length };
}

/** Verdicts by the tries and the settings they were reached with: every step asks for those of many versions. */
const known = new WeakMap<History['tries'], WeakMap<Tuned['tune'], Map<number, SequentialVerdict | null>>>();

/** How a proposal stands in its test against the prompt it was made from; null for one that is not tested. */
export function proposalVerdict(history: History, settings: Tuned, version: Version): SequentialVerdict | null {
  const ofTries = known.get(history.tries) ?? new WeakMap();
  known.set(history.tries, ofTries);
  const verdicts = ofTries.get(settings.tune) ?? new Map<number, SequentialVerdict | null>();
  ofTries.set(settings.tune, verdicts);
  const before = verdicts.get(version.number);
  if (before !== undefined) return before;
  const verdict = readVerdict(history, settings, version);
  verdicts.set(version.number, verdict);
  return verdict;
}

function readVerdict(history: History, settings: Tuned, version: Version): SequentialVerdict | null {
  const noise = measuredNoise(history, settings);
  const [parent] = version.parents;
  if (noise === null || noise.variance === 0 || version.proposal === null || parent === undefined) return null;
  const [before, after] = [parent, version.number].map((number) => repeatedScores(scoresOfText(history, number)));
  const differences: number[] = [];
  let isWhole = true;
  for (const { position, times } of testOrder(history, settings, version)) {
    const [from, to] = [before?.get(position)?.[times - 1], after?.get(position)?.[times - 1]];
    isWhole = from !== undefined && to !== undefined;
    if (!isWhole) break;
    differences.push((to ?? 0) - (from ?? 0));
  }
  const { falseAcceptance, smallestGain } = settings.tune;
  const least = Math.min(LEAST_CASES, validationPositions(history).length);
  const result = sequentialTest(differences, noise, { falseAcceptance, smallestGain, least });
  // All tries that the settings allow are made, and no gain is shown.
  return result.verdict === 'open' && isWhole ? { ...result, verdict: 'no_gain' } : result;
}

/** The next tries of a proposal's test: those of its parent where it has fewer, then its own. Null when it is decided. */
export function dueTest(history: History, settings: Tuned, version: Version): TryStep | null {
  const verdict = proposalVerdict(history, settings, version);
  const [parent] = version.parents;
  if (verdict?.verdict !== 'open' || parent === undefined) return null;
  const positions: number[] = [];
  let times = 1;
  let at = 0;
  for (const next of testOrder(history, settings, version)) {
    if (at++ < verdict.n) continue;
    // A look ends with a time through the cases.
    if (positions.length > 0 && next.times !== times) break;
    times = next.times;
    positions.push(next.position);
    if (positions.length === CASES_A_LOOK) break;
  }
  return (
    dueExample(history, parent, positions, 'validation', times) ??
    dueExample(history, version.number, positions, 'validation', times)
  );
}

function measuresNoise({ tune }: Tuned): boolean {
  return tune.acceptance === 'sequential' && tune.maxRepeats > 1;
}

function noisePositions(history: Pick<History, 'cases'>, { tune }: Tuned): number[] {
  return shuffled(validationPositions(history), String, 'noise', String(tune.seed)).slice(0, NOISE_CASES);
}

/** The cases of a proposal's test in their order, each time through in another one. `times`: how often each is tried by then. */
function* testOrder(
  history: Pick<History, 'cases'>,
  { tune }: Tuned,
  { number }: Version,
): Generator<{ position: number; times: number }> {
  const positions = validationPositions(history);
  for (let times = 1; times <= tune.maxRepeats; times++)
    for (const position of shuffled(positions, String, 'test', String(tune.seed), String(number), String(times)))
      yield { position, times };
}
