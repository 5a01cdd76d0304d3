import type { History } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { positionsOf, repeatedScores, scoresOfText } from './cases-of.ts';
import { dueExample, type TryStep, usedUpPositions } from './due-try.ts';
import { shuffled } from './minibatch.ts';
import { type KnownNoise, type SequentialVerdict, sequentialTest } from './sequential-test.ts';

type Tuned = Pick<ExperimentSettings, 'tune'>;

/** Held-out cases that the first prompt is tried on a second time, to see how much scores vary. */
const NOISE_CASES = 8;
/** Cases of a step of the test, so that hardly more are tried than it takes. */
const CASES_A_LOOK = 8;
/** Pairs before which no prompt is called better: fewer may be all of one kind. */
const LEAST_PAIRS = 10;

/**
 * How much scores vary: the mean square of the difference between the first and the second try of the first prompt on the same held-out
 * cases. It stays what it is, whatever is tried later, so that verdicts stay too. Null until it is measured, and where it is not to be.
 */
export function measuredNoise(history: History, settings: Tuned): KnownNoise | null {
  if (settings.tune.maxRepeats === 1) return null;
  const scores = repeatedScores(scoresOfText(history, 0));
  const failed = usedUpPositions(history, 0);
  const squares: number[] = [];
  for (const position of noisePositions(history, settings)) {
    const [first, second] = scores.get(position) ?? [];
    if (first !== undefined && second !== undefined) squares.push((second - first) ** 2);
    else if (!failed.has(position)) return null;
  }
  if (squares.length === 0) return null;
  return { variance: squares.reduce((sum, square) => sum + square, 0) / squares.length, pairs: squares.length };
}

/**
 * Whether a prompt is shown to be better than the first one on the held-out cases, where scores vary from one try to the next: a sequential
 * test over the pairs of tries. `n`: pairs that decided it, or that were looked at so far. Null where scores do not vary, or it is not known.
 */
export function finalTest(history: History, settings: Tuned, version: number): SequentialVerdict | null {
  const noise = measuredNoise(history, settings);
  if (noise === null || noise.variance === 0) return null;
  const arms = [0, version].map((number) => ({
    scores: repeatedScores(scoresOfText(history, number)),
    failed: usedUpPositions(history, number),
  }));
  const differences: number[] = [];
  let isWhole = true;
  for (const { position, times } of testOrder(history, settings)) {
    const [before, after] = arms.map(({ scores }) => scores.get(position)?.[times - 1]);
    if (before !== undefined && after !== undefined) differences.push(after - before);
    else if (arms.some(({ scores, failed }) => failed.has(position) && (scores.get(position)?.length ?? 0) < times))
      continue;
    else {
      isWhole = false;
      break;
    }
  }
  const { falseAcceptance, smallestGain } = settings.tune;
  const least = Math.min(LEAST_PAIRS, positionsOf(history, 'held_out').length);
  const result = sequentialTest(differences, noise, { falseAcceptance, smallestGain, least });
  // All tries that the settings allow are made, and no gain is shown.
  return result.verdict === 'open' && isWhole ? { ...result, verdict: 'no_gain' } : result;
}

/** The next tries of the test, after both prompts were tried on all held-out cases once; null when it is decided. */
export function dueFinalTest(history: History, settings: Tuned, version: number): TryStep | null {
  if (version === 0 || settings.tune.maxRepeats === 1) return null;
  const again = dueExample(history, 0, noisePositions(history, settings), 'held_out', 2);
  if (again !== null) return again;
  if (finalTest(history, settings, version)?.verdict !== 'open') return null;
  const order = [...testOrder(history, settings)];
  for (let times = 2; times <= settings.tune.maxRepeats; times++) {
    const positions = order.flatMap((one) => (one.times === times ? [one.position] : []));
    for (let at = 0; at < positions.length; at += CASES_A_LOOK) {
      const look = positions.slice(at, at + CASES_A_LOOK);
      const due = [0, version].map((number) => dueExample(history, number, look, 'held_out', times));
      const next = due.find((step) => step !== null);
      if (next !== undefined) return next;
    }
  }
  return null;
}

function noisePositions(history: Pick<History, 'cases'>, { tune }: Tuned): number[] {
  return shuffled(positionsOf(history, 'held_out'), String, 'noise', String(tune.seed)).slice(0, NOISE_CASES);
}

/** The held-out cases in the order of the test, each time through in another one. `times`: how often each is tried by then. */
function* testOrder(history: Pick<History, 'cases'>, { tune }: Tuned): Generator<{ position: number; times: number }> {
  const positions = positionsOf(history, 'held_out');
  for (let times = 1; times <= tune.maxRepeats; times++)
    for (const position of shuffled(positions, String, 'test', String(tune.seed), String(times)))
      yield { position, times };
}
