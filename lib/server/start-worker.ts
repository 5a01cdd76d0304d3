import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBackupContext } from '#lib/backups/backup-context.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { openOnce } from '#lib/context/open-once.ts';
import { getRunningApp, type RunningApp } from '#lib/context/running-app.ts';
import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { contractingMigrations } from '#lib/database/apply-migrations.ts';
import { cacheUntilChanged, isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { getLog } from '#lib/log/log.ts';
import { freeProviderSlots } from '#lib/models/queries.ts';
import { startTracing } from '#lib/providers/tracing/start-tracing.ts';
import { hasOtherProcesses, removeOtherProcesses } from '#lib/queue/queries.ts';
import { releaseAllWork, unfinishedRunIds } from '#lib/runs/queued-work.ts';
import { runsWithWaitingWork } from '#lib/runs/worker-queries.ts';
import { openSampleRunIds, seedSamples } from '#lib/samples/samples.ts';
import { releaseAllDeliveries } from '#lib/webhooks/queries.ts';
import { groupSaves } from '#lib/worker/group-saves.ts';
import { runPeriodically } from '#lib/worker/run-periodically.ts';
import { startBackgroundTasks } from '#lib/worker/start-background-tasks.ts';
import { sendRestoredRuns, startHeartbeat, watchSilentProcesses } from '#lib/worker/take-over.ts';
import { watchBackupSchedule } from '#lib/worker/watch-backup-schedule.ts';
import { setWorkerState } from '#lib/worker/worker-state.ts';

const PAUSE_MS = 1000;

/**
 * Starts the worker and retries while the database is unreachable. Next would cache a single failure and answer every request with it.
 * Resolves after the first attempt. Until one succeeds, the health check reports that the worker is starting.
 */
export async function beginWorker(): Promise<void> {
  if (!(await attempt())) void tryOn();
}

async function tryOn(): Promise<void> {
  do await sleep(PAUSE_MS, undefined, { ref: false });
  while (!(await attempt()));
}

async function attempt(): Promise<boolean> {
  try {
    await startWorker();
    return true;
  } catch (error) {
    getLog().error('the worker could not start and is tried again', error);
    return false;
  }
}

/** Minimum delay of the sample runs after a start, in seconds, so that the first pages and requested runs come first. */
const SAMPLES_WAIT_SECONDS = 2;

/**
 * Time until the code that performs jobs is loaded, unless a job needs it earlier, in milliseconds. The first page is served before the
 * worker starts, and a run started right after that should not wait for this code.
 */
const PRELOAD_MS = 50;

/** Time limit for aborting the runs being performed when the app stops, in milliseconds. */
const STOP_LIMIT_MS = 2_000;
const BACK_POLL_MS = 50;

/**
 * Starts performing runs in this process. First creates the samples in a database that never had them. With an embedded database, also
 * takes over the work of a killed predecessor. With zero slots, it only sends heartbeats and, if it serves pages, makes the scheduled
 * backups.
 */
async function startWorker(): Promise<void> {
  const app = getRunningApp();
  const context = await getAppContext();
  const { database, queue } = context;
  onShutdown(await startTracing(process.env, { warn: (message) => getLog().warn(message) }));
  await seedSamples(context);
  if (app.ownsDatabase) {
    await removeOtherProcesses(database, app.id);
    await freeProviderSlots(database.prisma, null);
    await releaseAllWork(database.prisma);
    await releaseAllDeliveries(database.prisma);
    await queue.takeOver(await unfinishedRunIds(database.prisma));
  }
  await sendRestoredRuns(context);
  await queue.putOff(await openSampleRunIds(database), SAMPLES_WAIT_SECONDS);
  onShutdown(await startHeartbeat(database, () => selfOf(app, queue.busy())));
  // Runs even with zero slots. The backup folders of worker processes are not checked.
  if (app.kind === 'web') onShutdown(watchBackupSchedule(context, getBackupContext()));
  if (app.environment.workerSlots === 0) return setWorkerState('elsewhere');

  const stopping = new AbortController();
  const draining = new AbortController();
  const others = cacheUntilChanged(database, ['processes'], (id: string) => hasOtherProcesses(database, id));
  const save = groupSaves(database, () => others.get(app.id));
  const performer = openOnce(async () => {
    const { openPerformer } = await import('./open-performer.ts');
    return openPerformer(context, { save, signal: stopping.signal, draining: draining.signal, processId: app.id });
  });
  /**
   * Stops taking jobs first, because an aborted job would otherwise be claimed again immediately. With a shared database, calls in flight
   * get time to finish. During an outage of an embedded one, only their results wait, until it is back.
   */
  const drainOnce = async () => {
    const limitMs = app.environment.drainSeconds * 1000;
    const drainMs = database.isShared || app.isDatabaseAway() ? limitMs : 0;
    const rested = queue.rest(drainMs + STOP_LIMIT_MS);
    draining.abort();
    if (drainMs > 0)
      await Promise.race([
        rested,
        sleep(drainMs, undefined, { ref: false }),
        ...(database.isShared ? [] : [untilBack(app)]),
      ]);
    stopping.abort();
    await rested;
  };
  let drained: Promise<void> | null = null;
  const drain = () => {
    drained ??= drainOnce();
    return drained;
  };
  // Not awaited, because requests are still served meanwhile.
  onShutdown(() => {
    drain().catch((error: unknown) => getLog().error('taking no more runs', error));
  }, 'begin');
  onShutdown(async () => {
    setWorkerState('stopped');
    await drain();
    (await performer.opened())?.close();
    await queue.stop(0);
  });
  if (!app.ownsDatabase) onShutdown(watchSilentProcesses(context, app.id, others.get));
  await queue.work(app.environment.workerSlots, async (...job) => (await performer.get()).perform(...job), {
    leftOver: (runIds) => runsWithWaitingWork(database, runIds),
    isAlone: async () => !(await others.get(app.id)),
  });
  const stopBackgroundTasks = startBackgroundTasks(context, app.id);
  const leave = onShutdown(stopBackgroundTasks);
  onShutdown(
    watchSchema(database, app.migrations, (migrations) => {
      const trouble = `The database was changed by a newer version of Hone (${migrations.join(', ')}), so this process performs no more runs. Start the newer version in its place.`;
      setWorkerState('outdated', trouble);
      getLog().error(trouble);
      leave();
      Promise.all([stopBackgroundTasks(), drain()]).catch((error: unknown) =>
        getLog().error('taking no more runs', error),
      );
    }),
  );
  setWorkerState('working');
  const preloading = setTimeout(() => {
    performer.get().catch((error: unknown) => getLog().error('the worker could not be loaded', error));
  }, PRELOAD_MS);
  onShutdown(() => clearTimeout(preloading), 'begin');
}

/** Resolves when the outage of the database has ended. */
async function untilBack({ isDatabaseAway }: RunningApp): Promise<void> {
  while (isDatabaseAway()) await sleep(BACK_POLL_MS, undefined, { ref: false });
}

function selfOf({ id, kind, version, startedAt, environment }: RunningApp, busy: number) {
  return {
    id,
    kind,
    host: hostname(),
    processId: process.pid,
    version,
    slots: environment.workerSlots,
    busy,
    startedAt,
  };
}

/** Interval of checks for schema changes, in milliseconds. If changes are announced, queries only after one. */
const SCHEMA_LOOK_MS = 3_000;

/**
 * Starts checking if a newer version has changed the database so that this version no longer works with it. Calls `onContracted` once,
 * with the names of the migrations. Returns a function that stops the checks.
 */
function watchSchema(
  database: Pick<Database, 'pool'>,
  known: readonly string[],
  onContracted: (migrations: string[]) => void,
): () => void {
  let mark: Mark | null = null;
  const stop = runPeriodically('looking at the schema', SCHEMA_LOOK_MS, look);
  async function look(): Promise<void> {
    if (mark !== null && isUnchanged(database, mark, ['schema'])) return;
    const before = markChanges(database);
    const found = await contractingMigrations(database, known);
    mark = before;
    if (found.length === 0) return;
    void stop();
    onContracted(found);
  }
  return () => void stop();
}
