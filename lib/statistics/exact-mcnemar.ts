import { signTest } from '#lib/core/sign-test.ts';

/**
 * How likely a split of changed cases at least this uneven is if neither side were better: McNemar's exact test, two-sided. `fixed` and
 * `broken` count the pairs that changed; those that came out alike say nothing. 1 where nothing changed.
 * Source: McNemar 1947; exact by the binomial distribution with share ½.
 */
export function exactMcNemar(fixed: number, broken: number): number {
  return signTest(fixed, broken);
}
