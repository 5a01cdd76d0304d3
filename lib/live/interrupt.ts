declare global {
  // Pages, routes and the worker are separate module instances that share only `globalThis`.
  var honeInterruptions: Map<string, AbortController> | undefined;
}

/** Abort signal of a run's call in flight. `abort` cancels the call, `renew` creates a new signal after an interruption. */
export type Interruption = { signal(): AbortSignal; abort(): void; renew(): void; close(): void };

/** Creates a signal for the run's call in flight that `interruptRun` and the worker's own signal can abort. */
export function interruptible(runId: string, workerSignal: AbortSignal): Interruption {
  globalThis.honeInterruptions ??= new Map();
  const interruptions = globalThis.honeInterruptions;
  let controller = new AbortController();
  let signal = AbortSignal.any([controller.signal, workerSignal]);
  interruptions.set(runId, controller);
  return {
    signal: () => signal,
    abort: () => controller.abort(),
    renew: () => {
      controller = new AbortController();
      signal = AbortSignal.any([controller.signal, workerSignal]);
      interruptions.set(runId, controller);
    },
    close: () => {
      if (interruptions.get(runId) === controller) interruptions.delete(runId);
    },
  };
}

/** Aborts the run's call in flight in this process, if there is one, because a decision was made. */
export function interruptRun(runId: string): void {
  globalThis.honeInterruptions?.get(runId)?.abort();
}
