/**
 * The chance that at least one of `k` runs of a case is solved, from `solved` of `runs` of it: 1 − C(runs − solved, k) / C(runs, k), without
 * bias. Null where the case has fewer than `k` runs, and for a `k` below 1.
 * Source: Chen et al. 2021, Evaluating Large Language Models Trained on Code, section 2.1 and figure 3.
 */
export function passAtK(runs: number, solved: number, k: number): number | null {
  if (k < 1 || runs < k) return null;
  if (runs - solved < k) return 1;
  let noneSolved = 1;
  for (let run = runs - solved + 1; run <= runs; run++) noneSolved *= 1 - k / run;
  return 1 - noneSolved;
}
