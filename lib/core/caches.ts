/** Returns a function that keeps its result as long as the argument exists, for values that each step and page derives many times. */
export function cachedByObject<Key extends WeakKey, Value>(derive: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = derive(key);
    known.set(key, { value });
    return value;
  };
}

/** Stores a value as the newest of a cache, removes the oldest ones beyond `most`, and returns the value. */
export function keepRecent<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value, most: number): Value {
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of cache.keys()) {
    if (cache.size <= most) break;
    cache.delete(oldest);
  }
  return value;
}
