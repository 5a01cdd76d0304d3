/**
 * Returns the p-value of the exact two-sided sign test: the probability of a split of changed cases at least this uneven if better and
 * worse were equally likely. For right and wrong answers it is McNemar's test. 1 if nothing changed. `share`: the expected share of
 * `better` instead of one half, for counts from samples of different sizes. Sources: Dixon & Mood 1946; McNemar 1947; Przyborowski &
 * Wilenski 1940 (`share`).
 */
export function signTest(better: number, worse: number, share = 0.5): number {
  const changed = better + worse;
  if (better === changed * share) return 1;
  const [most, chance] = better < changed * share ? [better, share] : [worse, 1 - share];
  let logChoose = 0;
  let tail = 0;
  for (let few = 0; few <= most; few++) {
    // Uses logarithms, because binomial coefficients overflow and powers of the chance underflow.
    tail += Math.exp(logChoose + changed * Math.log(1 - chance) + few * Math.log(chance / (1 - chance)));
    logChoose += Math.log(changed - few) - Math.log(few + 1);
  }
  return Math.min(1, 2 * tail);
}

/** Maximum number of steps of the sum of weights in the weighted test. More steps take longer, fewer merge sums that are nearly equal. */
const MAX_WEIGHT_STEPS = 4_000_000;
/** Weights with at most three decimals are exact, if their sum has few enough steps. */
const EXACT_SCALES = [1, 10, 100, 1_000];
const MAX_APPROXIMATE_SCALE = 1_000;

/**
 * Returns the p-value of the sign test for weighted cases: the probability that the changed weight is split at least this unevenly if each
 * case were equally likely to improve or get worse. `changes`: the weight of each case, negative if it got worse, 0 if unchanged.
 * Two-sided, and exact for any weights, from the distribution of the sum over all signs: at most 5 % of comparisons without an effect have
 * p below 0.05. With equal weights, it equals `signTest`. Weights that are too fine or too many are rounded. The test stays valid, because
 * any statistic of the signs has this distribution. Sources: Fisher 1935, The Design of Experiments, 21 (randomization test); Dixon & Mood
 * 1946.
 */
export function weightedSignTest(changes: readonly number[]): number {
  const changed = changes.filter((change) => change !== 0);
  const steps = wholeWeights(changed.map(Math.abs));
  const observed = Math.abs(steps.reduce((sum, step, at) => sum + step * Math.sign(changed[at] ?? 0), 0));
  if (observed === 0) return 1;
  const total = steps.reduce((sum, step) => sum + step, 0);
  // Probability of each improved weight, updated case by case.
  let chances = Float64Array.of(1);
  let reached = 0;
  for (const step of steps) {
    const next = new Float64Array(reached + step + 1);
    for (let at = 0; at <= reached; at++) {
      const half = (chances[at] ?? 0) / 2;
      next[at] = (next[at] ?? 0) + half;
      next[at + step] = (next[at + step] ?? 0) + half;
    }
    chances = next;
    reached += step;
  }
  // The distribution is symmetric, so sum the tail up to the observed weight on the smaller side.
  let tail = 0;
  for (let at = 0; 2 * at <= total - observed; at++) tail += chances[at] ?? 0;
  return Math.min(1, 2 * tail);
}

/** Returns the weights as integers above 0. */
function wholeWeights(weights: readonly number[]): number[] {
  const most = Math.max(...weights);
  const fits = (steps: readonly number[]) =>
    steps.length * steps.reduce((sum, step) => sum + step, 0) <= MAX_WEIGHT_STEPS;
  for (const scale of EXACT_SCALES) {
    const steps = weights.map((weight) => Math.round(weight * scale));
    const isExact = weights.every((weight, at) => Math.abs(weight * scale - (steps[at] ?? 0)) < 1e-9);
    if (isExact && fits(steps)) return steps;
  }
  const finest = Math.min(MAX_APPROXIMATE_SCALE, Math.floor(MAX_WEIGHT_STEPS / weights.length ** 2));
  return weights.map((weight) => Math.max(1, Math.round((weight / most) * Math.max(1, finest))));
}
