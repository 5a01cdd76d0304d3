/**
 * How likely a split of changed cases at least this uneven is if better and worse were equally likely: the exact sign test, two-sided, which
 * for right and wrong answers is McNemar's. 1 where nothing changed. Sources: Dixon & Mood 1946; McNemar 1947.
 */
export function signTest(better: number, worse: number): number {
  const changed = better + worse;
  if (better === worse) return 1;
  let logChoose = 0;
  let tail = 0;
  for (let few = 0; few <= Math.min(better, worse); few++) {
    // Logarithms: 2 to the power of some hundreds is past what a number holds.
    tail += Math.exp(logChoose - changed * Math.LN2);
    logChoose += Math.log(changed - few) - Math.log(few + 1);
  }
  return Math.min(1, 2 * tail);
}
