const MINUTE_MS = 60_000;

/** One request, as one limit counts it: `key` says whose it is. Nothing is counted where `perMinute` is 0. */
export type Charge = { key: string; perMinute: number };

export type RateLimiter = {
  /** Counts one request under all of `charges`, or under none where one has no room: then how many milliseconds until it has, else 0. */
  take(charges: readonly Charge[], nowMs: number): number;
  /** How many keys are remembered. */
  size(): number;
};

/**
 * Counts requests by the generic cell rate algorithm: a key may use up a whole minute's worth at once, and gets it back evenly
 * over a minute. A key is one number. At most `mostKeys` are remembered, those used last, so that made-up ones fill no memory; what is
 * forgotten of a key that rests is nothing.
 */
export function createRateLimiter(mostKeys: number): RateLimiter {
  // When each key will have everything back. Two halves, of which the older one goes as a whole: taking the oldest keys out of one map
  // one by one gets slower with each.
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  let turnedAt = Number.NEGATIVE_INFINITY;

  /** After a minute without a request a key has everything back, so that only a flood of keys makes anything be forgotten. */
  function turn(nowMs: number): void {
    const restedMs = nowMs - turnedAt;
    if (restedMs < MINUTE_MS && recent.size < mostKeys / 2) return;
    older = restedMs < 2 * MINUTE_MS ? recent : new Map();
    recent = new Map();
    turnedAt = nowMs;
  }

  return {
    take: (charges, nowMs) => {
      const next = charges
        .filter(({ perMinute }) => perMinute > 0)
        .map(({ key, perMinute }) => ({
          key,
          at: Math.max(recent.get(key) ?? older.get(key) ?? nowMs, nowMs) + MINUTE_MS / perMinute,
        }));
      const waitMs = Math.max(0, ...next.map(({ at }) => at - nowMs - MINUTE_MS));
      // Sums of fractions are off by less than this.
      if (waitMs > 0.001) return waitMs;
      for (const { key, at } of next) {
        turn(nowMs);
        recent.set(key, at);
      }
      return 0;
    },
    size: () => new Set([...recent.keys(), ...older.keys()]).size,
  };
}
