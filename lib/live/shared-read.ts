import { eventGeneration } from './live.ts';

/** Time a read is shared with other followers if nothing new is announced, in milliseconds. */
const KEPT_MS = 250;

/**
 * Shares one read between followers of a run who request it at the same moment. A call reuses a finished or pending read with the same
 * arguments unless an event of the run was announced since. Reads of a run without followers are not shared.
 */
export function sharedRead<Args extends readonly number[], Value>(
  read: (runId: string, ...args: Args) => Promise<Value>,
): (runId: string, ...args: Args) => Promise<Value> {
  const cache = new Map<string, { generation: number; atMs: number; value: Promise<Value> }>();
  return (runId, ...args) => {
    const generation = eventGeneration(runId);
    if (generation === null) return read(runId, ...args);
    const key = [runId, ...args].join(' ');
    const found = cache.get(key);
    if (found?.generation === generation && performance.now() - found.atMs < KEPT_MS) return found.value;
    const made = { generation, atMs: performance.now(), value: read(runId, ...args) };
    cache.set(key, made);
    const expire = () => {
      if (cache.get(key) === made) cache.delete(key);
    };
    made.value.catch(expire);
    setTimeout(expire, KEPT_MS).unref();
    return made.value;
  };
}
