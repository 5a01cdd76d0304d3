import { randomUUID } from 'node:crypto';
import type { AppContext } from '#lib/context/app-context.ts';
import { getLog } from '#lib/log/log.ts';
import { expirePauses } from '#lib/runs/expire-pauses.ts';
import { continueStopAll } from '#lib/runs/stop-all.ts';
import { hasBackgroundWork } from './background-work.ts';
import { lookRegularly } from './look-regularly.ts';
import { watchAdmission } from './watch-admission.ts';
import { watchRetention } from './watch-retention.ts';
import { watchRetrospectives } from './watch-retrospectives.ts';
import { watchUnmeasuredRuns } from './watch-unmeasured-runs.ts';
import { webhookDeliverer } from './webhooks/webhook-deliverer.ts';

/** How often it is looked whether all runs are to be stopped, in milliseconds. */
const LOOK_MS = 1_000;

/** How often it is looked for pauses that nobody answered in their time. */
const EXPIRY_LOOK_MS = 2_000;
/** How often it is looked for webhooks that are to be told of a pause. */
const DELIVERY_LOOK_MS = 1_000;

/**
 * Does what goes on beside the runs, from now on: pauses end in their time, webhooks are told, lessons admitted, ended runs measured and looked back over, all
 * runs stopped where that was asked for, and once a day what is kept no longer is removed.
 * Any number of processes may do so. Answers how to stop, which waits for what is under way.
 */
export function backgroundTasks(context: AppContext, processId: string): () => Promise<void> {
  const { database } = context;
  const expire = async () => {
    if (await hasBackgroundWork(database, 'pauses')) await expirePauses(context);
  };
  const watching = setInterval(() => {
    expire().catch((error: unknown) => getLog().error('pauses', error));
  }, EXPIRY_LOOK_MS).unref();
  const endAdmitting = watchAdmission(context);
  const endMeasuring = watchUnmeasuredRuns(context);
  const endLookingBack = watchRetrospectives(context);
  const endPurging = watchRetention(context);
  const endStopping = watchStopAll(context);
  const deliverer = webhookDeliverer(context, { processId });
  const send = async () => {
    if (await hasBackgroundWork(database, 'deliveries')) await deliverer.look();
  };
  const delivering = setInterval(() => {
    send().catch((error: unknown) => getLog().error('webhooks', error));
  }, DELIVERY_LOOK_MS).unref();
  return async () => {
    clearInterval(watching);
    clearInterval(delivering);
    await Promise.all([
      endAdmitting(),
      endMeasuring(),
      endLookingBack(),
      endPurging(),
      endStopping(),
      deliverer.close(),
    ]);
  };
}

/** Stops all runs when that is asked for, from now on. Answers how to end, which waits for what is under way. */
function watchStopAll(context: AppContext): () => Promise<void> {
  const holder = randomUUID();
  return lookRegularly('stopping all runs', LOOK_MS, async (signal) => {
    if (await hasBackgroundWork(context.database, 'stopAll')) await continueStopAll(context, holder, signal);
  });
}
