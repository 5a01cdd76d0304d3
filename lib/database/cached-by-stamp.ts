/** Works a value out anew where the stamp is another one than when it was kept. */
type CachedByStamp<Value> = (key: string, stamp: string, work: () => Promise<Value>) => Promise<Value>;

type Kept<Value> = { stamp: string; value: Promise<Value>; bytes: number };

/**
 * Keeps values by key for as long as their stamp holds: those that were asked for last, up to about `mostBytes` by `bytesOf`. Who asks while
 * a value is worked out waits for the same one. A value larger than all of it and a failure are not kept.
 */
export function cachedByStamp<Value>(mostBytes: number, bytesOf: (value: Value) => number): CachedByStamp<Value> {
  const kept = new Map<string, Kept<Value>>();
  let total = 0;
  function drop(key: string): void {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }
  async function weigh(key: string, entry: Kept<Value>): Promise<void> {
    try {
      const bytes = bytesOf(await entry.value);
      if (kept.get(key) !== entry) return;
      entry.bytes = bytes;
      total += bytes;
      if (bytes > mostBytes) drop(key);
      for (const oldest of kept.keys()) {
        if (total <= mostBytes) return;
        drop(oldest);
      }
    } catch {
      if (kept.get(key) === entry) drop(key);
    }
  }
  return (key, stamp, work) => {
    const found = kept.get(key);
    if (found?.stamp === stamp) {
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    }
    drop(key);
    const entry = { stamp, value: work(), bytes: 0 };
    kept.set(key, entry);
    void weigh(key, entry);
    return entry.value;
  };
}
