import { randomUUID } from 'node:crypto';
import { HONE_ACTOR } from '#lib/auth/record-change.ts';
import type { AppContext, TimedContext } from '#lib/context/app-context.ts';
import { changeSince, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { removeUnusedFiles } from '#lib/files/stored-files.ts';
import { admitLessons, hasDeferred } from '#lib/lessons/admit-lessons.ts';
import { mergeLessonTotals } from '#lib/lessons/write-queries.ts';
import { expirePauses } from '#lib/runs/expire-pauses.ts';
import { continueRateLimited } from '#lib/runs/rate-limits.ts';
import {
  COUNTED_AT_ONCE,
  countSettledRuns,
  makeSearchable,
  measureRuns,
  newestRunNumber,
} from '#lib/runs/run-measures.ts';
import { continueStopAll } from '#lib/runs/stop-runs.ts';
import { type BackgroundWork, type FoundWork, findBackgroundWork } from '#lib/runs/worker-queries.ts';
import { findSetting, LAST_PURGE, RETENTION_SETTING } from '#lib/settings/installation-settings.ts';
import { purgeDue, recordInterruptedPurge } from '#lib/settings/purge.ts';
import { removeUnusedPrompts } from '#lib/settings/unused-prompts.ts';
import { watchRetrospectives } from './request-retrospectives.ts';
import { runPeriodically } from './run-periodically.ts';
import { webhookDeliverer } from './webhooks/webhook-deliverer.ts';

/** Intervals between two checks, in milliseconds. */
const STOP_ALL_MS = 1_000;
const EXPIRY_MS = 2_000;
const DELIVERY_MS = 1_000;
const RETENTION_LOOK_MS = 600_000;

/**
 * Starts all background tasks: expires pauses, continues runs after a rate limit, sends webhooks, admits lessons, measures ended runs,
 * starts due retrospectives, stops all runs on request, and deletes expired data once a day. Any number of processes may run them. Returns
 * a function that stops them and waits for work in progress.
 */
export function startBackgroundTasks(context: AppContext, processId: string): () => Promise<void> {
  const { database } = context;
  const deliverer = webhookDeliverer(context, { processId });
  const holder = randomUUID();
  const ends = [
    runPeriodically('pauses', EXPIRY_MS, async () => {
      if (!(await hasBackgroundWork(database, 'pauses'))) return;
      await expirePauses(context);
      await continueRateLimited(context);
    }),
    runPeriodically('webhooks', DELIVERY_MS, async () => {
      if (await hasBackgroundWork(database, 'deliveries')) await deliverer.look();
    }),
    watchAdmission(context),
    watchUnmeasuredRuns(context),
    watchRetrospectives(context),
    runPeriodically('retention', RETENTION_LOOK_MS, (signal) => removeExpired(context, signal), { atOnce: true }),
    runPeriodically('stopping all runs', STOP_ALL_MS, async (signal) => {
      if (await hasBackgroundWork(database, 'stopAll')) await continueStopAll(context, holder, signal);
    }),
    () => deliverer.close(),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

const DAY_MS = 86_400_000;

/** Removes unused files and texts of calls, which does not depend on the retention setting, and purges if a day has passed. */
export async function removeExpired(context: TimedContext, signal: AbortSignal): Promise<void> {
  await removeUnusedFiles(context.database, context.now(), signal);
  await purgeDaily(context, signal);
  await removeUnusedPrompts(context.database);
}

/** Purges expired data if a day has passed. Returns true if it purged. A clock that was set back delays it by at most a day. */
export async function purgeDaily(context: TimedContext, signal: AbortSignal): Promise<boolean> {
  const { database, now } = context;
  await recordInterruptedPurge(database);
  const setting = await findSetting(database, RETENTION_SETTING);
  if (setting === null || Object.values(setting.value).every((days) => days === null)) return false;
  const last = await findSetting(database, LAST_PURGE);
  if (last !== null && Math.abs(now().getTime() - Date.parse(last.updatedAt)) < DAY_MS) return false;
  return (await purgeDue(context, HONE_ACTOR, signal)).ok;
}

/** Interval of checks for texts to make searchable, in milliseconds. */
const MEASURES_LOOK_MS = 2_000;
/** Interval of checks for new runs without measures, in milliseconds. */
const UNMEASURED_CHECK_INTERVAL_MS = 20_000;
/** Interval of checks of all runs, in milliseconds. A process of an older Hone version may have ended earlier runs without measures. */
const FULL_CHECK_INTERVAL_MS = 3_600_000;

/**
 * Starts filling in the measures of ended runs, maintaining totals of runs and lessons, and making texts searchable. Returns a function
 * that stops this and waits for work in progress.
 */
export function watchUnmeasuredRuns(context: AppContext, lookMs: number = MEASURES_LOOK_MS): () => Promise<void> {
  let surveyedAt = Number.NEGATIVE_INFINITY;
  let wholeAt = Number.NEGATIVE_INFINITY;
  let from = -1;
  async function survey(signal: AbortSignal): Promise<void> {
    const isWhole = performance.now() - wholeAt >= FULL_CHECK_INTERVAL_MS;
    // Read first. A run that has not ended by then is measured by the save that ends it.
    const newest = await newestRunNumber(context.database);
    await measureRuns(context, signal, isWhole ? -1 : from);
    from = newest;
    surveyedAt = performance.now();
    if (isWhole) wholeAt = surveyedAt;
  }
  return runPeriodically('measures', lookMs, async (signal) => {
    if (performance.now() - surveyedAt >= UNMEASURED_CHECK_INTERVAL_MS) await survey(signal);
    if (await hasBackgroundWork(context.database, 'runTotals'))
      while (!signal.aborted && (await countSettledRuns(context.database, context.now())) === COUNTED_AT_ONCE);
    if (await hasBackgroundWork(context.database, 'lessonTotals')) await mergeLessonTotals(context.database);
    if (await hasBackgroundWork(context.database, 'texts')) await makeSearchable(context, signal);
  });
}

/** Interval of checks for lessons that wait for admission, in milliseconds. */
const ADMISSION_LOOK_MS = 2_000;
/** Interval of checks if lessons used by unfinished runs may be archived, in milliseconds. */
const DEFERRED_MS = 20_000;

/** Starts admitting lessons soon after they are stored. Returns a function that stops this and waits for work in progress. */
export function watchAdmission(context: AppContext, lookMs: number = ADMISSION_LOOK_MS): () => Promise<void> {
  const { database } = context;
  let admittedAt = Number.NEGATIVE_INFINITY;
  return runPeriodically('lessons', lookMs, async (signal) => {
    const isDeferredDue = hasDeferred(database) && performance.now() - admittedAt >= DEFERRED_MS;
    if (!(await hasBackgroundWork(database, 'lessons')) && !isDeferredDue) return;
    await admitLessons(context, signal);
    admittedAt = performance.now();
  });
}

/** Minimum time a result is cached, in milliseconds. Checks within that time share it. */
const FRESH_MS = 900;
/** Minimum time a result is cached when only ended runs were announced, in milliseconds, so that many ended runs are processed together. */
const GATHER_MS = 5_000;
/** Maximum time a result is cached without an announcement, in milliseconds. */
const MAX_CACHE_MS = 20_000;
/** Kinds that are checked again soon after some were found, because not all of the work may have been done at once. */
const URGENT: readonly BackgroundWork[] = ['pauses', 'deliveries', 'lessons', 'stopAll'];

/** `reported`: kinds already reported as true, which happens once per result. */
type Known = { mark: Mark; found: Promise<FoundWork>; reported: Set<BackgroundWork> };
const known = new WeakMap<Database, Known>();

/**
 * Returns true if there is work of a kind. One statement checks all kinds, and only if some work may have arrived: after an announcement,
 * when a pause or a delivery is due, or after 20 s. A process without announcements checks once a second.
 */
export async function hasBackgroundWork(database: Database, kind: BackgroundWork): Promise<boolean> {
  const last = known.get(database);
  const current = last === undefined || (await isOutdated(database, last)) ? renewed(database, last) : last;
  if (!(await current.found)[kind] || current.reported.has(kind)) return false;
  current.reported.add(kind);
  return true;
}

async function isOutdated(database: Database, { mark, found }: Known): Promise<boolean> {
  const ageMs = performance.now() - mark.atMs;
  if (ageMs < FRESH_MS) return false;
  const answer = await found;
  const { nextMs } = answer;
  if (ageMs >= MAX_CACHE_MS || (nextMs !== null && ageMs > nextMs) || URGENT.some((kind) => answer[kind])) return true;
  if (changeSince(database, mark, ['work']) !== 'none') return true;
  return ageMs >= GATHER_MS && (answer.texts || changeSince(database, mark, ['ended']) !== 'none');
}

/** Refreshes an outdated result. If several callers find it outdated, only one runs the query. */
function renewed(database: Database, last: Known | undefined): Known {
  const current = known.get(database);
  if (current !== undefined && current !== last) return current;
  const made = {
    mark: markChanges(database),
    found: findBackgroundWork(database),
    reported: new Set<BackgroundWork>(),
  };
  known.set(database, made);
  // After a failure the next check runs the query again.
  made.found.catch(() => known.get(database) === made && known.delete(database));
  return made;
}
