import { createContext, Script } from 'node:vm';

/** The work is called from inside a script, as only scripts can be cut off. It keeps no secrets and shuts nothing in. */
const CALL = new Script('work()');

const CUT_OFF = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Does work that holds up everything else, and cuts it off after `timeoutMs` wherever it stands. What it throws is thrown; null
 * when it was cut off.
 */
export function withinTime<Value>(timeoutMs: number, work: () => Value): { value: Value } | null {
  let done: { value: Value } | null = null;
  const context = createContext({
    work: () => {
      done = { value: work() };
    },
  });
  try {
    CALL.runInContext(context, { timeout: timeoutMs });
  } catch (error) {
    // It is an error of the script's own realm, so not `instanceof Error`.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === CUT_OFF) return null;
    throw error;
  }
  return done;
}
