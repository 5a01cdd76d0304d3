/** Returns the lower end of an axis of scores that shows all of them: a multiple of 0.2, at most 0.8. */
export function scoreAxisBottom(scores: readonly number[]): number {
  return Math.max(0, Math.floor(Math.min(0.8, ...scores) * 5 + 1e-9) / 5);
}

/** Returns the ticks of an axis of scores, every 0.2 from `bottom` to 1. */
export function scoreTicks(bottom: number): number[] {
  return Array.from({ length: Math.round((1 - bottom) / 0.2) + 1 }, (_, index) => bottom + index * 0.2);
}
