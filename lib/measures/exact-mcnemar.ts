/**
 * How likely a split of changed cases at least this uneven is if neither side were better: McNemar's exact test, two-sided. `fixed` and
 * `broken` count the pairs that changed; those that came out alike say nothing. 1 where nothing changed.
 * Source: McNemar 1947; exact by the binomial distribution with share ½.
 */
export function exactMcNemar(fixed: number, broken: number): number {
  const changed = fixed + broken;
  if (fixed === broken) return 1;
  let logChoose = 0;
  let tail = 0;
  for (let few = 0; few <= Math.min(fixed, broken); few++) {
    // Logarithms: 2 to the power of some hundreds is past what a number holds.
    tail += Math.exp(logChoose - changed * Math.LN2);
    logChoose += Math.log(changed - few) - Math.log(few + 1);
  }
  return Math.min(1, 2 * tail);
}
