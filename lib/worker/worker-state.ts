/**
 * `starting` until the first job can be taken; `stopped` once the app ends. `elsewhere`: this process has no slots, and leaves runs to
 * others. `outdated`: the database was changed by a newer version in a way that this one cannot work with, so it takes no runs.
 */
export type WorkerState = 'starting' | 'working' | 'stopped' | 'elsewhere' | 'outdated';

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeWorkerState: WorkerState | undefined;
  var honeWorkerTrouble: string | undefined;
}

/** Whether this process performs runs. */
export function getWorkerState(): WorkerState {
  return globalThis.honeWorkerState ?? 'starting';
}

/** Why this process takes no runs although it should, and what to do; null when nothing is wrong. */
export function getWorkerTrouble(): string | null {
  return globalThis.honeWorkerTrouble ?? null;
}

export function setWorkerState(state: WorkerState, trouble?: string): void {
  globalThis.honeWorkerState = state;
  globalThis.honeWorkerTrouble = trouble;
}
