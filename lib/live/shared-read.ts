import { eventGeneration } from './live.ts';

/** How long what was read is given to other followers too, in milliseconds, where nothing new is announced. */
const KEPT_MS = 250;

/**
 * Makes a read that many followers of a run ask for at the same moment only once: it answers what another one has read, or is reading,
 * with the same arguments, unless something of the run was announced since. A run that nobody follows is read each time.
 */
export function sharedRead<Args extends readonly number[], Value>(
  read: (runId: string, ...args: Args) => Promise<Value>,
): (runId: string, ...args: Args) => Promise<Value> {
  const kept = new Map<string, { generation: number; atMs: number; value: Promise<Value> }>();
  return (runId, ...args) => {
    const generation = eventGeneration(runId);
    if (generation === null) return read(runId, ...args);
    const key = [runId, ...args].join(' ');
    const found = kept.get(key);
    if (found?.generation === generation && performance.now() - found.atMs < KEPT_MS) return found.value;
    const made = { generation, atMs: performance.now(), value: read(runId, ...args) };
    kept.set(key, made);
    const forget = () => {
      if (kept.get(key) === made) kept.delete(key);
    };
    made.value.catch(forget);
    setTimeout(forget, KEPT_MS).unref();
    return made.value;
  };
}
