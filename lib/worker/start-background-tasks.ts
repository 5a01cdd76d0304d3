import { randomUUID } from 'node:crypto';
import { HONE } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { removeUnusedFiles } from '#lib/files/stored-files.ts';
import { mergeLessonTotals } from '#lib/lessons/write-queries.ts';
import { expirePauses } from '#lib/runs/expire-pauses.ts';
import { COUNTED_AT_ONCE, countSettledRuns, makeSearchable, measureRuns, newestRunNumber } from '#lib/runs/measures.ts';
import { continueStopAll } from '#lib/runs/stop-all.ts';
import { noteBrokenOffPurge, purgeDue } from '#lib/settings/purge.ts';
import { findLastPurge, findRetention } from '#lib/settings/stored-retention.ts';
import { hasBackgroundWork } from './background-work.ts';
import { runPeriodically } from './run-periodically.ts';
import { watchAdmission } from './watch-admission.ts';
import { watchRetrospectives } from './watch-retrospectives.ts';
import { webhookDeliverer } from './webhooks/webhook-deliverer.ts';

/** The time between two checks, in milliseconds. */
const STOP_ALL_MS = 1_000;

const EXPIRY_MS = 2_000;
const DELIVERY_MS = 1_000;

/**
 * Starts everything that is done beside the runs: expires pauses, sends webhooks, admits lessons, measures ended runs, starts due
 * retrospectives, stops all runs on request, and deletes once a day what is past its retention. Any number of processes may do so. Returns a
 * function that stops it and waits for what is under way.
 */
export function startBackgroundTasks(context: AppContext, processId: string): () => Promise<void> {
  const { database } = context;
  const deliverer = webhookDeliverer(context, { processId });
  const ends = [
    runPeriodically('pauses', EXPIRY_MS, async () => {
      if (await hasBackgroundWork(database, 'pauses')) await expirePauses(context);
    }),
    runPeriodically('webhooks', DELIVERY_MS, async () => {
      if (await hasBackgroundWork(database, 'deliveries')) await deliverer.look();
    }),
    watchAdmission(context),
    watchUnmeasuredRuns(context),
    watchRetrospectives(context),
    watchRetention(context),
    watchStopAll(context),
    () => deliverer.close(),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** Stops all runs when that is asked for, from now on. Answers how to end, which waits for what is under way. */
function watchStopAll(context: AppContext): () => Promise<void> {
  const holder = randomUUID();
  return runPeriodically('stopping all runs', STOP_ALL_MS, async (signal) => {
    if (await hasBackgroundWork(context.database, 'stopAll')) await continueStopAll(context, holder, signal);
  });
}

/** How often it is looked whether a day has passed, in milliseconds. */
const RETENTION_LOOK_MS = 600_000;
const DAY_MS = 86_400_000;

/** Removes unused files from now on, and once a day what retention is set for. Answers how to stop, which waits for what is under way. */
function watchRetention(context: Pick<AppContext, 'database' | 'now'>): () => Promise<void> {
  return runPeriodically('retention', RETENTION_LOOK_MS, (signal) => removeExpired(context, signal), { atOnce: true });
}

/** Removes unused files, which needs no retention, and purges if a day has passed. */
export async function removeExpired(context: Pick<AppContext, 'database' | 'now'>, signal: AbortSignal): Promise<void> {
  await removeUnusedFiles(context.database, context.now(), signal);
  await purgeDaily(context, signal);
}

/** Answers whether it purged. A clock that was put back does not hold it up for longer than a day. */
export async function purgeDaily(context: Pick<AppContext, 'database' | 'now'>, signal: AbortSignal): Promise<boolean> {
  const { database, now } = context;
  await noteBrokenOffPurge(database);
  const setting = await findRetention(database);
  if (setting === null || Object.values(setting.value).every((days) => days === null)) return false;
  const last = await findLastPurge(database);
  if (last !== null && Math.abs(now().getTime() - Date.parse(last.at)) < DAY_MS) return false;
  return (await purgeDue(context, HONE, signal)).ok;
}

/** How often it is looked for texts to make searchable, in milliseconds. */
const MEASURES_LOOK_MS = 2_000;
/** How often it is looked for new runs without measures. */
const SURVEY_MS = 20_000;
/** How often all runs are gone through: a process of an older Hone may have ended some of those that were there before. */
const WHOLE_SURVEY_MS = 3_600_000;

/** Fills in what ended runs come to, keeps totals of runs and lessons, and makes their texts searchable, from now on. Answers how to stop, which waits for what is under way. */
export function watchUnmeasuredRuns(context: AppContext, lookMs: number = MEASURES_LOOK_MS): () => Promise<void> {
  let surveyedAt = Number.NEGATIVE_INFINITY;
  let wholeAt = Number.NEGATIVE_INFINITY;
  let from = -1;
  async function survey(signal: AbortSignal): Promise<void> {
    const isWhole = performance.now() - wholeAt >= WHOLE_SURVEY_MS;
    // Read first. A run that has not ended by then is measured by the save that ends it.
    const newest = await newestRunNumber(context.database);
    await measureRuns(context, signal, isWhole ? -1 : from);
    from = newest;
    surveyedAt = performance.now();
    if (isWhole) wholeAt = surveyedAt;
  }
  return runPeriodically('measures', lookMs, async (signal) => {
    if (performance.now() - surveyedAt >= SURVEY_MS) await survey(signal);
    if (await hasBackgroundWork(context.database, 'runTotals'))
      while (!signal.aborted && (await countSettledRuns(context.database, context.now())) === COUNTED_AT_ONCE);
    if (await hasBackgroundWork(context.database, 'lessonTotals')) await mergeLessonTotals(context.database);
    if (await hasBackgroundWork(context.database, 'texts')) await makeSearchable(context, signal);
  });
}
