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
  /** When each key will have everything back. The key used last stands last. */
  const fullAt = new Map<string, number>();

  function put(key: string, at: number, nowMs: number): void {
    fullAt.delete(key);
    fullAt.set(key, at);
    // One that rests goes for each that comes, without a look at all of them at once.
    for (const [oldest, restoredAt] of fullAt) {
      if (fullAt.size <= mostKeys && restoredAt > nowMs) break;
      fullAt.delete(oldest);
      if (fullAt.size <= mostKeys) break;
    }
  }

  return {
    take: (charges, nowMs) => {
      const next = charges
        .filter(({ perMinute }) => perMinute > 0)
        .map(({ key, perMinute }) => ({
          key,
          at: Math.max(fullAt.get(key) ?? nowMs, nowMs) + MINUTE_MS / perMinute,
        }));
      const waitMs = Math.max(0, ...next.map(({ at }) => at - nowMs - MINUTE_MS));
      // Sums of fractions are off by less than this.
      if (waitMs > 0.001) return waitMs;
      for (const { key, at } of next) put(key, at, nowMs);
      return 0;
    },
    size: () => fullAt.size,
  };
}
