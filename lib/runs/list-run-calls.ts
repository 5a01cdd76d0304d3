import type { AppContext } from '#lib/context/app-context.ts';
import type { History } from '#lib/core/history.ts';
import { type Page, pageOf } from '#lib/database/page.ts';
import type { CallSummary } from './call-record.ts';
import type { FoundRun } from './find-run.ts';
import { findRun } from './find-run.ts';
import { listCalls, type StoredSummary } from './list-calls.ts';
import { listRescores } from './rescores.ts';
import { versionOfCall } from './version-of-call.ts';

export type CallFilter = {
  role?: string | null;
  version?: number | null;
  /** Only those that failed. */
  failed?: boolean;
  /** The id of the last call of the page before. */
  cursor: string | null;
  limit: number;
};

/** What a run's calls come to, and how many there are of each kind, whatever is chosen of them. */
export type CallCounts = {
  total: number;
  failed: number;
  roles: { role: string; count: number }[];
  versions: { version: number; count: number }[];
};

/** A page of a run's calls in the order they were kept, with the run and its counts; null where there is no run. */
export async function listRunCalls(
  { database }: Pick<AppContext, 'database'>,
  runId: string,
  filter: CallFilter,
): Promise<{ found: FoundRun; page: Page<CallSummary>; counts: CallCounts; chosen: number } | null> {
  const found = await findRun(database, runId);
  if (found === null) return null;
  const versionOf = await versionFinder({ database }, runId, found.history);
  const calls = (await listCalls(database, runId)).map((call) => ({ ...call, version: versionOf(call) }));
  const { role = null, version = null, failed = false, cursor, limit } = filter;
  const after = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const chosen = calls.filter(
    (call) =>
      (role === null || call.role === role) &&
      (version === null || call.version === version) &&
      (!failed || call.failureKind !== null),
  );
  const page = pageOf(chosen.filter(({ id }) => id > after).slice(0, limit + 1), limit, ({ id }) => String(id));
  return { found, page, counts: countsOf(calls), chosen: chosen.length };
}

/** Which version a call was about: re-scores name theirs, all others go by the history. */
export async function versionFinder(
  { database }: Pick<AppContext, 'database'>,
  runId: string,
  history: History,
): Promise<(call: Pick<StoredSummary, 'step' | 'role'>) => number | null> {
  const rescored = new Map((await listRescores(database, runId)).map(({ version }, index) => [-(index + 1), version]));
  return (call) => (call.step < 0 ? (rescored.get(call.step) ?? null) : versionOfCall(history, call));
}

function countsOf(calls: readonly CallSummary[]): CallCounts {
  const roles = Map.groupBy(calls, ({ role }) => role);
  const versions = Map.groupBy(calls, ({ version }) => version);
  return {
    total: calls.length,
    failed: calls.filter(({ failureKind }) => failureKind !== null).length,
    roles: [...roles].map(([role, { length }]) => ({ role, count: length })),
    versions: [...versions].flatMap(([version, { length }]) => (version === null ? [] : [{ version, count: length }])),
  };
}
