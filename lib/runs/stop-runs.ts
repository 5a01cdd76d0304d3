import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { ROLES } from '#lib/auth/role.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { decide } from './decide.ts';
import { loadRun } from './load-run.ts';
import { holdBackQueued, nextToStop, STOP_ALL, updateStopAll } from './queries.ts';
import { newestRunNumber } from './run-measures.ts';
import { type StopAllState, stopAllInputSchema, stopAllStateSchema, type UnfinishedCounts } from './schema.ts';

/** The stored form, including who made the request and the number of the last affected run. */
const stopAllSchema = stopAllStateSchema.extend({
  id: z.guid(),
  actor: z.object({
    id: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    memberId: z.string().optional(),
    entry: z.string().optional(),
    address: z.string().optional(),
  }),
  /** Number of the last run to stop. Runs started later are not affected. */
  upToNumber: z.int(),
});
type StopAll = z.infer<typeof stopAllSchema>;

/** The database, or a transaction. */
type Client = { prisma: Transaction };

/** Lease of the process that stops the runs, in milliseconds. After a crash another process takes over. */
const LEASE_MS = 15_000;

const UNFINISHED = ['queued', 'running', 'waiting'] as const;

/** Returns the number of queued, running and waiting runs, and the highest run number. */
export async function countUnfinished({ prisma }: Client): Promise<UnfinishedCounts & { upToNumber: number }> {
  const unfinished = { status: { in: [...UNFINISHED] } };
  const groups = await prisma.run.groupBy({ by: ['status'], where: unfinished, _count: true });
  const upToNumber = await newestRunNumber({ prisma });
  const countOf = (status: string) => groups.find((group) => group.status === status)?._count ?? 0;
  return { queued: countOf('queued'), running: countOf('running'), waiting: countOf('waiting'), upToNumber };
}

/** Stores an unclaimed stop-all request. It replaces an earlier one, whose runs it includes. */
async function writeStopAll({ installationSetting }: Transaction, stopAll: StopAll): Promise<void> {
  const stored = {
    value: cleanJson(stopAll),
    updatedBy: cleanText(stopAll.askedBy),
    updatedAt: new Date(stopAll.askedAt),
  };
  await installationSetting.upsert({ where: { key: STOP_ALL }, create: { key: STOP_ALL, ...stored }, update: stored });
}

/** Returns the last stop-all request, or null if there was none. */
export async function findStopAll({ prisma }: Client): Promise<StopAll | null> {
  const row = await prisma.installationSetting.findUnique({ where: { key: STOP_ALL } });
  return row === null ? null : stopAllSchema.parse(row.value);
}

/** Returns the public part of the request. */
export function stateOf({ askedBy, askedAt, waiting, total, stopped, doneAt }: StopAll): StopAllState {
  return { askedBy, askedAt, waiting, total, stopped, doneAt };
}

/**
 * Requests that all queued and running runs be stopped and, if `waiting` is set, those that wait for a person. Queued runs no longer start.
 * Workers then stop the runs one by one (`continueStopAll`), each like an individual stop, so each can be resumed. The request is stored
 * and survives a crash. Returns the stop-all state with the number of runs.
 */
export async function stopAllRuns(context: AppContext, actor: Actor, input: unknown): Promise<Result<StopAllState>> {
  const parsed = parseInput(stopAllInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database, now, newId } = context;
  const { id, name, role, memberId, entry, address } = actor;
  return inTransaction(database, async (transaction) => {
    // Otherwise one of two concurrent requests would replace the other without its waiting runs.
    await lockUntilCommit(transaction, STOP_ALL);
    const counts = await countUnfinished({ prisma: transaction });
    const before = await findStopAll({ prisma: transaction });
    const isUnderWay = before !== null && before.doneAt === null;
    const waiting = parsed.value.waiting || (isUnderWay && before.waiting);
    const total = counts.queued + counts.running + (waiting ? counts.waiting : 0);
    const request = {
      id: newId(),
      actor: { id, name, role, memberId, entry, address },
      askedBy: name,
      askedAt: now().toISOString(),
      waiting,
      total,
      stopped: 0,
      doneAt: total === 0 ? now().toISOString() : null,
      upToNumber: counts.upToNumber,
    };
    await writeStopAll(transaction, request);
    await holdBackQueued(transaction, counts.upToNumber);
    await recordChange(transaction, actor, {
      act: 'stopped',
      subject: { kind: 'batch', name: 'all runs' },
      change: { runs: total, waiting },
    });
    return succeed(stateOf(request));
  });
}

/** Number of items processed concurrently. The limit leaves database connections for other work. */
const WIDTH = 4;

/** Processes all items, a few at a time. Returns the results in the order of the items. */
export async function forEachAtOnce<Item, Answer>(
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += WIDTH)
    answers.push(...(await Promise.all(items.slice(from, from + WIDTH).map(act))));
  return answers;
}

/** Number of runs stopped between two progress updates. */
const AT_ONCE = 40;

/**
 * Continues a stop-all request that no other process is working on, until it is done or `signal` aborts. Skips a run that cannot be stopped
 * because it ended meanwhile. Returns the number of stopped runs.
 */
export async function continueStopAll(context: AppContext, holder: string, signal: AbortSignal): Promise<number> {
  const { database, now } = context;
  const tried = new Set<string>();
  let stopped = 0;
  while (!signal.aborted) {
    const renewed = await updateStopAll(database, { holder, leaseMs: LEASE_MS });
    if (renewed === null) break;
    const stopAll = stopAllSchema.parse(renewed);
    const { waiting, upToNumber } = stopAll;
    const statuses = waiting ? UNFINISHED : UNFINISHED.slice(0, 2);
    const runIds = await nextToStop(database, { statuses, upToNumber, tried: [...tried] }, AT_ONCE);
    const done = await forEachAtOnce(runIds, (runId) => stopRun(context, stopAll.actor, runId));
    const count = done.filter(({ ok }) => ok).length;
    stopped += count;
    for (const runId of runIds) tried.add(runId);
    const isDone = runIds.length < AT_ONCE;
    await updateStopAll(database, { id: stopAll.id, stopped: count, doneAt: isDone ? now() : null });
    if (isDone) break;
  }
  return stopped;
}

/** Stops a run in any state. Aborts calls in flight and keeps what is stored. The stop is also the decision on a waiting run's pause. */
export async function stopRun(
  context: AppContext,
  actor: Actor,
  runId: string,
): Promise<Result<{ status: RunStatus }>> {
  const pauseId = (await loadRun(context.database, runId, 'scores'))?.history.pause?.pauseId;
  const decided = await decide(context, actor, runId, {
    decision: 'stop',
    ...(pauseId === undefined ? {} : { pauseId }),
  });
  if (!decided.ok) return decided;
  const after = await loadRun(context.database, runId, 'scores');
  return succeed({ status: after?.run.status ?? 'stopped' });
}
