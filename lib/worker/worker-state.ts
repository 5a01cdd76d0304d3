/**
 * State of the worker. `starting`: until the first job can be claimed. `stopped`: the app is ending. `elsewhere`: this process has no slots
 * and leaves runs to others. `outdated`: a newer version changed the database incompatibly, so it accepts no runs.
 */
export type WorkerState = 'starting' | 'working' | 'stopped' | 'elsewhere' | 'outdated';

declare global {
  // Pages, routes and the worker load separate module instances and only share `globalThis`.
  var honeWorkerState: WorkerState | undefined;
  var honeWorkerTrouble: string | undefined;
}

/** Returns the state of this process's worker. */
export function getWorkerState(): WorkerState {
  return globalThis.honeWorkerState ?? 'starting';
}

/** Returns the reason this process performs no runs although it should, with the recommended action. Null if there is no problem. */
export function getWorkerTrouble(): string | null {
  return globalThis.honeWorkerTrouble ?? null;
}

export function setWorkerState(state: WorkerState, trouble?: string): void {
  globalThis.honeWorkerState = state;
  globalThis.honeWorkerTrouble = trouble;
}
