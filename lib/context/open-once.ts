type OpenedOnce<Value> = {
  /** Returns the value, opened at the first call. If opening fails, the next call tries again. */
  get(): Promise<Value>;
  /** Returns the value if it is open or being opened, otherwise null. */
  opened(): Promise<Value | null>;
};

/** Opens a value when it is first needed, for example one whose code takes long to load. */
export function openOnce<Value>(open: () => Promise<Value>): OpenedOnce<Value> {
  let current: Promise<Value> | null = null;
  return {
    get: () => {
      current ??= open().catch((error: unknown) => {
        current = null;
        throw error;
      });
      return current;
    },
    opened: async () => (current === null ? null : current.catch(() => null)),
  };
}
