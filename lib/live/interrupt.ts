declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeInterruptions: Map<string, AbortController> | undefined;
}

/** The signal of a run's call in flight. `abort` breaks it off; `renew` makes a fresh one after an interruption. */
export type Interruption = { signal(): AbortSignal; abort(): void; renew(): void; close(): void };

/** Lets the run's call in flight be broken off by `interruptRun`, and by the worker's own signal. */
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

/** Breaks off the run's call in flight in this process, if there is one: somebody decided. */
export function interruptRun(runId: string): void {
  globalThis.honeInterruptions?.get(runId)?.abort();
}
