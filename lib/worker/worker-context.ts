import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import type { PythonRunner } from '#lib/evaluators/python/python-report.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import type { WebhookValidator } from '#lib/webhooks/send-webhook.ts';
import type { SaveRun } from './group-saves.ts';
import type { ToolboxOf } from './run-tools.ts';

/** The dependencies of a worker that performs runs. `signal` aborts when the worker stops. */
export type WorkerContext = {
  database: Database;
  enqueue: AppContext['enqueue'];
  save: SaveRun;
  call: ModelCaller;
  validate: WebhookValidator;
  python: PythonRunner;
  openTools: ToolboxOf;
  now: () => Date;
  newId: () => string;
  signal: AbortSignal;
  /**
   * Aborts when the worker accepts no more work. Calls in flight continue until `signal` aborts. Afterwards the run is returned to the
   * queue.
   */
  draining?: AbortSignal;
  /** Identifies this process as the holder of runs and work. If null or omitted, no other process takes over from it. */
  processId?: string | null;
};

/** Returns true if the worker accepts no more work. */
export function isStopping({ signal, draining }: Pick<WorkerContext, 'signal' | 'draining'>): boolean {
  return signal.aborted || draining?.aborted === true;
}
