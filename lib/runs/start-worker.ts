import { randomUUID } from 'node:crypto';
import { releaseAllWork } from '#lib/db/held-work.ts';
import { freeAllProviderSlots } from '#lib/db/provider-limits.ts';
import { unfinishedRunIds } from '#lib/db/unfinished-runs.ts';
import { releaseAllDeliveries } from '#lib/db/webhook-deliveries.ts';
import { createModelCaller } from '#lib/models/create-model-caller.ts';
import { startTracing } from '#lib/models/tracing/start-tracing.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { onShutdown } from '#lib/start/shutdown-hooks.ts';
import { expirePauses } from './expire-pauses.ts';
import { groupSaves } from './group-saves.ts';
import { keepMeasuring } from './keep-measuring.ts';
import { keepAdmitting } from './lessons/keep-admitting.ts';
import { limitedCall } from './limited-call.ts';
import { getWorkshop } from './open-workshop.ts';
import { leftOver, performJob } from './perform-job.ts';
import { providerDirectory } from './provider-directory.ts';
import { pythonRunner } from './python-runner.ts';
import { seedSamples } from './seed-samples.ts';
import { toolboxOf } from './tools/toolbox-of.ts';
import { webhookDeliverer } from './webhooks/webhook-deliverer.ts';
import { webhookValidator } from './webhooks/webhook-validator.ts';
import { setWorkerState } from './worker-state.ts';

/** How often it is looked for pauses that nobody answered in their time. */
const EXPIRY_LOOK_MS = 2_000;
/** How often it is looked for webhooks that are to be told of a pause. */
const DELIVERY_LOOK_MS = 1_000;
/** How long runs at work may take to break off when the app stops. */
const STOP_LIMIT_MS = 2_000;

/**
 * Begins performing runs in this process: first the samples are made in a database that never had them, and what a killed predecessor
 * on the same database had begun is taken over.
 */
export async function startWorker(): Promise<void> {
  const app = getRunningApp();
  const workshop = await getWorkshop();
  const { database, queue } = workshop;
  onShutdown(await startTracing(process.env, { tell: (message) => console.warn(`hone: ${message}`) }));
  await seedSamples(workshop);
  if (app.ownsDatabase) {
    await freeAllProviderSlots(database);
    await releaseAllWork(database);
    await releaseAllDeliveries(database);
    await queue.takeOver(await unfinishedRunIds(database), database.pool);
  }
  const stopping = new AbortController();
  const { resolveProvider, limitsOf } = providerDirectory(workshop);
  const call = limitedCall(createModelCaller({ resolveProvider }), { database, holder: randomUUID(), limitsOf });
  onShutdown(async () => {
    // The queue must stop taking jobs first: one that breaks off would be taken again at once.
    setWorkerState('stopped');
    const stopped = queue.stop(STOP_LIMIT_MS);
    stopping.abort();
    call.close();
    await stopped;
  });
  const save = groupSaves(database);
  const python = pythonRunner(workshop);
  const validate = webhookValidator(workshop);
  const bench = {
    database,
    save,
    call,
    validate,
    python,
    openTools: toolboxOf(workshop),
    now: workshop.now,
    newId: workshop.newId,
    signal: stopping.signal,
  };
  const { workerSlots } = app.environment;
  await queue.work(workerSlots, (runId) => performJob(bench, runId), leftOver(database));
  const watching = setInterval(() => {
    expirePauses(workshop).catch((error: unknown) => console.error('pauses:', error));
  }, EXPIRY_LOOK_MS).unref();
  onShutdown(async () => clearInterval(watching));
  onShutdown(keepAdmitting(workshop));
  onShutdown(keepMeasuring(workshop));
  const deliverer = webhookDeliverer(workshop);
  const delivering = setInterval(() => {
    deliverer.look().catch((error: unknown) => console.error('webhooks:', error));
  }, DELIVERY_LOOK_MS).unref();
  onShutdown(async () => {
    clearInterval(delivering);
    await deliverer.close();
  });
  setWorkerState('working');
}
