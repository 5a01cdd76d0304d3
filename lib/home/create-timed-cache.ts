/** A cached value that is slow to compute and may be slightly outdated. */
type CacheEntry<Value> = { value: Value; at: number };

/** Values this many times older than `freshMs` are recomputed before they are returned. */
const STALE_FACTOR = 10;

/**
 * Caches the results of `find` by key. Values older than `freshMs` milliseconds are returned and refreshed in the background. Values
 * `STALE_FACTOR` times older are recomputed first. Concurrent reads of a key share one call. Only the newest `most` keys are kept.
 */
export function createTimedCache<Value>(find: (key: string) => Promise<Value>, freshMs: number, most = 4) {
  const entries = new Map<string, CacheEntry<Value>>();
  const searches = new Map<string, Promise<Value>>();
  const search = (key: string, at: number): Promise<Value> => {
    const running = searches.get(key);
    if (running !== undefined) return running;
    const started = find(key)
      .then((value) => {
        entries.delete(key);
        entries.set(key, { value, at });
        for (const old of [...entries.keys()].slice(0, -most)) entries.delete(old);
        return value;
      })
      .finally(() => searches.delete(key));
    searches.set(key, started);
    return started;
  };
  return async (key: string, now: Date): Promise<Value> => {
    const known = entries.get(key);
    const age = known === undefined ? Number.POSITIVE_INFINITY : now.getTime() - known.at;
    if (known === undefined || age > STALE_FACTOR * freshMs) return search(key, now.getTime());
    // If it fails, the next reader tries again.
    if (age > freshMs) search(key, now.getTime()).catch(() => undefined);
    return known.value;
  };
}
