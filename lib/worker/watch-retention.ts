import { HONE } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { removeUnusedFiles } from '#lib/files/stored-files.ts';
import { noteBrokenOffPurge, purgeDue } from '#lib/settings/purge.ts';
import { findLastPurge, findRetention } from '#lib/settings/stored-retention.ts';
import { lookRegularly } from './look-regularly.ts';

/** How often it is looked whether a day has passed, in milliseconds. */
const LOOK_MS = 600_000;
const DAY_MS = 86_400_000;

/** Removes unused files from now on, and once a day what retention is set for. Answers how to stop, which waits for what is under way. */
export function watchRetention(context: Pick<AppContext, 'database' | 'now'>): () => Promise<void> {
  return lookRegularly('retention', LOOK_MS, (signal) => lookForDue(context, signal), { atOnce: true });
}

/** Removes unused files, which needs no retention, and purges if a day has passed. */
export async function lookForDue(context: Pick<AppContext, 'database' | 'now'>, signal: AbortSignal): Promise<void> {
  await removeUnusedFiles(context.database, context.now(), signal);
  await purgeWhereDayPassed(context, signal);
}

/** Answers whether it purged. A clock that was put back does not hold it up for longer than a day. */
export async function purgeWhereDayPassed(
  context: Pick<AppContext, 'database' | 'now'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, now } = context;
  await noteBrokenOffPurge(database);
  const setting = await findRetention(database);
  if (setting === null || Object.values(setting.value).every((days) => days === null)) return false;
  const last = await findLastPurge(database);
  if (last !== null && Math.abs(now().getTime() - Date.parse(last.at)) < DAY_MS) return false;
  return (await purgeDue(context, HONE, signal)).ok;
}
