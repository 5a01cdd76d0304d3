const MINUTE_MS = 60_000;

/** One request as counted by one limit. `key` identifies the caller. Not counted if `perMinute` is 0. */
export type Charge = { key: string; perMinute: number };

export type RateLimiter = {
  /**
   * Counts one request under all of `charges`, or under none if one is exhausted. Returns the milliseconds until the request is allowed, or
   * 0 if it was counted.
   */
  take(charges: readonly Charge[], nowMs: number): number;
  /** Returns the number of stored keys. */
  size(): number;
};

/**
 * Rate limiter with the generic cell rate algorithm: a key may use a full minute's quota at once and regains it evenly over a minute. Each
 * key stores one number. Keeps at most the `mostKeys` last used keys, so that made-up keys cannot exhaust memory. Removing idle keys loses
 * nothing.
 */
export function createRateLimiter(mostKeys: number): RateLimiter {
  // Time at which each key has its full quota again. Split into two maps so that the older one is dropped as a whole. Evicting the oldest
  // keys of one map one by one becomes slower each time.
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  let turnedAt = Number.NEGATIVE_INFINITY;

  /** A key idle for a minute has its full quota, so only a flood of keys discards relevant state. */
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
      // Tolerance for rounding errors of floating-point sums.
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
