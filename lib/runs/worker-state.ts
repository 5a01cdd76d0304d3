/** `starting` until the first job can be taken; `stopped` once the app ends. */
export type WorkerState = 'starting' | 'working' | 'stopped';

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeWorkerState: WorkerState | undefined;
}

/** Whether this process performs runs. */
export function getWorkerState(): WorkerState {
  return globalThis.honeWorkerState ?? 'starting';
}

export function setWorkerState(state: WorkerState): void {
  globalThis.honeWorkerState = state;
}
