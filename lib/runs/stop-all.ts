import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { ROLES } from '#lib/auth/role.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { newestRunNumber } from './measures.ts';
import { holdBackQueued, nextToStop, STOP_ALL, updateStopAll } from './queries.ts';
import { type StopAllState, stopAllInputSchema, stopAllStateSchema, type UnfinishedCounts } from './schema.ts';
import { stopRun } from './stop-run.ts';

/** As it is kept: who asked, and up to which run. */
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
  /** Runs that were started later are left alone. */
  upToNumber: z.int(),
});
type StopAll = z.infer<typeof stopAllSchema>;

/** How long one process works at it without saying so again, in milliseconds: after a crash another one goes on. */
const LEASE_MS = 15_000;

const UNFINISHED = ['queued', 'running', 'waiting'] as const;

/** How many runs are queued, under way and waiting for a person, and the highest number of a run. */
export async function countUnfinished({
  prisma,
}: Pick<Database, 'prisma'>): Promise<UnfinishedCounts & { upToNumber: number }> {
  const [groups, upToNumber] = await Promise.all([
    prisma.run.groupBy({ by: ['status'], where: { status: { in: [...UNFINISHED] } }, _count: true }),
    newestRunNumber({ prisma }),
  ]);
  const countOf = (status: string) => groups.find((group) => group.status === status)?._count ?? 0;
  return { queued: countOf('queued'), running: countOf('running'), waiting: countOf('waiting'), upToNumber };
}

/** Keeps what is to be stopped, held by nobody; what was asked for before is part of it. */
async function writeStopAll({ installationSetting }: Transaction, stopAll: StopAll): Promise<void> {
  const stored = {
    value: cleanJson(stopAll),
    updatedBy: cleanText(stopAll.askedBy),
    updatedAt: new Date(stopAll.askedAt),
  };
  await installationSetting.upsert({ where: { key: STOP_ALL }, create: { key: STOP_ALL, ...stored }, update: stored });
}

/** The last that was asked for; null where nobody ever did. */
export async function findStopAll({ prisma }: Pick<Database, 'prisma'>): Promise<StopAll | null> {
  const row = await prisma.installationSetting.findUnique({ where: { key: STOP_ALL } });
  return row === null ? null : stopAllSchema.parse(row.value);
}

/** As much of it as anybody may see. */
export function stateOf({ askedBy, askedAt, waiting, total, stopped, doneAt }: StopAll): StopAllState {
  return { askedBy, askedAt, waiting, total, stopped, doneAt };
}

/**
 * Asks for all runs to be stopped that are queued or under way now, and on request those that wait for a person. From then on none that is queued
 * begins; workers stop them one by one (`continueStopAll`), each as if somebody had stopped it alone, so each can be resumed. What is asked for
 * is stored: a kill in the middle changes nothing. Answers how many they are.
 */
export async function stopAllRuns(context: AppContext, actor: Actor, input: unknown): Promise<Result<StopAllState>> {
  const parsed = parseInput(stopAllInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database, now, newId } = context;
  const [counts, before] = await Promise.all([countUnfinished(database), findStopAll(database)]);
  const isUnderWay = before !== null && before.doneAt === null;
  const waiting = parsed.value.waiting || (isUnderWay && before.waiting);
  const total = counts.queued + counts.running + (waiting ? counts.waiting : 0);
  const { id, name, role, memberId, entry, address } = actor;
  const asked = {
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
  await inTransaction(database, async (transaction) => {
    await writeStopAll(transaction, asked);
    await holdBackQueued(transaction, counts.upToNumber);
    await recordChange(transaction, actor, {
      act: 'stopped',
      subject: { kind: 'batch', name: 'all runs' },
      change: { runs: total, waiting },
    });
  });
  return succeed(stateOf(asked));
}

/** How many are worked on at the same time: the database has connections left for everybody else. */
const WIDTH = 4;

/** Does something for each of many, a few at a time; answers come in the order of the items. */
export async function forEachAtOnce<Item, Answer>(
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += WIDTH)
    answers.push(...(await Promise.all(items.slice(from, from + WIDTH).map(act))));
  return answers;
}

/** Runs that are stopped before it is said how far it is. */
const AT_ONCE = 40;

/**
 * Goes on with stopping all runs, where that was asked for and no other process does, until it is done or `signal` says so. A run that
 * cannot be stopped (it ended meanwhile) is passed over. Answers how many were stopped.
 */
export async function continueStopAll(context: AppContext, holder: string, signal: AbortSignal): Promise<number> {
  const { database, now } = context;
  const tried = new Set<string>();
  let stopped = 0;
  while (!signal.aborted) {
    const held = await updateStopAll(database, { holder, leaseMs: LEASE_MS });
    if (held === null) break;
    const stopAll = stopAllSchema.parse(held);
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
