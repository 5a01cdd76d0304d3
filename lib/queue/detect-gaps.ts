/** Pause of the regular checks of the database after which no process may have had access to it, in milliseconds. */
const GAP_MS = 10_000;
/** Time that live processes need to reconnect, in milliseconds. */
export const RECONNECT_MS = 10_000;

/**
 * Detects that the database was out of reach, or that this machine was suspended. Heartbeats of all processes are then old. Call the
 * returned function after each check that succeeded, with the time until the next one. It returns true until live processes have had time
 * for a heartbeat, so that nobody takes their work.
 */
export function detectGaps(): (nextMs: number) => boolean {
  let expectedAt = Date.now();
  let regainedAt = Number.NEGATIVE_INFINITY;
  return (nextMs) => {
    // The wall clock, because others stop while a machine is suspended.
    const now = Date.now();
    if (now - expectedAt > GAP_MS) regainedAt = now;
    expectedAt = now + nextMs;
    return now >= regainedAt && now - regainedAt < RECONNECT_MS;
  };
}
