import type { AppContext } from '#lib/context/app-context.ts';
import { storedModels } from '#lib/model-calls/stored-models.ts';
import type { PerformQueued } from '#lib/queue/queue.ts';
import { pythonRunner } from '#lib/settings/python.ts';
import { webhookValidator } from '#lib/webhooks/send-webhook.ts';
import { performJob } from '#lib/worker/perform-job.ts';
import { toolboxOf } from '#lib/worker/run-tools.ts';
import type { WorkerContext } from '#lib/worker/worker-context.ts';

/** Performs the jobs of a process until `close`. */
type Performer = { perform: PerformQueued; close(): void };

type Options = Pick<WorkerContext, 'save' | 'signal'> & { processId: string; draining: AbortSignal };

/** Opens what jobs need. A separate module, because it imports the packages of all providers, which take as long to load as a page. */
export function openPerformer(context: AppContext, { save, signal, draining, processId }: Options): Performer {
  const { database, enqueue, now, newId } = context;
  const call = storedModels(context, { holder: processId, draining });
  const worker: WorkerContext = {
    ...{ database, enqueue, save, call, now, newId, signal, draining, processId },
    validate: webhookValidator(context),
    python: pythonRunner(context),
    openTools: toolboxOf(context),
  };
  return { perform: (runId, freeSlot) => performJob(worker, runId, freeSlot), close: () => call.close() };
}
