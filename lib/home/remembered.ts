/** A value that takes long to find and may be a little old. */
type Kept<Value> = { value: Value; at: number; isRenewing: boolean };

/** A value this many times older than fresh ones is found again before it is answered. */
const STALE = 10;

/**
 * Remembers what `find` answers, by key. A value older than `freshMs` milliseconds is answered once more and renewed meanwhile, so that
 * readers seldom wait; one that is `STALE` times older is not. Only the newest `most` keys are kept.
 */
export function remembered<Value>(find: (key: string) => Promise<Value>, freshMs: number, most = 4) {
  const kept = new Map<string, Kept<Value>>();
  const renew = async (key: string, now: number): Promise<Value> => {
    const value = await find(key);
    kept.delete(key);
    kept.set(key, { value, at: now, isRenewing: false });
    for (const old of [...kept.keys()].slice(0, -most)) kept.delete(old);
    return value;
  };
  return async (key: string, now: Date): Promise<Value> => {
    const known = kept.get(key);
    if (known === undefined || now.getTime() - known.at > STALE * freshMs) return renew(key, now.getTime());
    if (now.getTime() - known.at > freshMs && !known.isRenewing) {
      known.isRenewing = true;
      // Who looks next tries again.
      renew(key, now.getTime()).catch(() => {
        known.isRenewing = false;
      });
    }
    return known.value;
  };
}
