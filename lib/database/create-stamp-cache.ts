/** Returns the cached value of a key, or computes it again if the stamp has changed. */
type CachedByStamp<Value> = (key: string, stamp: string, work: () => Promise<Value>) => Promise<Value>;

type CacheEntry<Value> = { stamp: string; value: Promise<Value>; bytes: number };

/**
 * Creates an LRU cache of values by key, each valid while its stamp is unchanged, up to about `mostBytes` by `bytesOf`. Concurrent requests
 * share one computation. Failures, and values larger than the whole cache, are not cached.
 */
export function createStampCache<Value>(mostBytes: number, bytesOf: (value: Value) => number): CachedByStamp<Value> {
  const entries = new Map<string, CacheEntry<Value>>();
  let total = 0;
  function drop(key: string): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }
  async function weigh(key: string, entry: CacheEntry<Value>): Promise<void> {
    try {
      const bytes = bytesOf(await entry.value);
      if (entries.get(key) !== entry) return;
      entry.bytes = bytes;
      total += bytes;
      if (bytes > mostBytes) drop(key);
      for (const oldest of entries.keys()) {
        if (total <= mostBytes) return;
        drop(oldest);
      }
    } catch {
      if (entries.get(key) === entry) drop(key);
    }
  }
  return (key, stamp, work) => {
    const found = entries.get(key);
    if (found?.stamp === stamp) {
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    }
    drop(key);
    const entry = { stamp, value: work(), bytes: 0 };
    entries.set(key, entry);
    void weigh(key, entry);
    return entry.value;
  };
}
