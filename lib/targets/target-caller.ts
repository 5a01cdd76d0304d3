import type { AppContext } from '#lib/context/app-context.ts';
import { markChanges, nextChange } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { isUnreachable, retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import type { CallTarget } from '#lib/providers/call/create-model-caller.ts';
import { callTarget } from '#lib/providers/target/call-target.ts';
import {
  type NewJob,
  type TargetAnswer,
  type TargetCall,
  TargetError,
  type TargetJobs,
  targetResultSchema,
} from '#lib/providers/target/target-call.ts';

/** Returns a caller that calls a target in place of a model. */
export function targetCaller({ database, now, address }: Pick<AppContext, 'database' | 'now' | 'address'>): CallTarget {
  const jobs = targetJobs(database, now);
  return (call, options) => callTarget({ ...call, jobs, address, now }, options);
}

/** Poll interval for answers without a notification, in milliseconds. */
const LOOK_MS = 1_000;

type Waiter = { target: string; resolve: (result: TargetAnswer) => void; reject: (error: unknown) => void };
/** `wake` ends the wait between two polls. */
type Waiters = { byId: Map<string, Waiter>; wake: (() => void) | null };
const waitersOf = new WeakMap<Database, Waiters>();

function targetJobs(database: Database, now: () => Date): TargetJobs {
  const { targetJob } = database.prisma;
  return {
    find: (id, signal) =>
      retryWhileUnreachable(async () => {
        const job = await targetJob.findUnique({ where: { id }, select: { answer: true, createdAt: true } });
        if (job === null) return undefined;
        return job.answer === null ? { waitingSince: job.createdAt } : { answer: readResult(job.answer) };
      }, signal),
    await: async (job, signal) => {
      await retryWhileUnreachable(() => makeJob(database, job, now()), signal);
      return awaitResult(database, job.call, signal);
    },
    deleteJob: async (id) => {
      // If the deletion fails, the next attempt finds the job.
      await targetJob.deleteMany({ where: { id } }).catch(() => undefined);
    },
  };
}

function readResult(answer: string): TargetAnswer {
  return targetResultSchema.parse(JSON.parse(answer));
}

/** Creates a job and deletes those of earlier steps, whose answers are in the journal or no longer needed. */
async function makeJob({ prisma }: Database, { call, step, state }: NewJob, createdAt: Date): Promise<void> {
  const { id, target, run } = call;
  const data = { id, target, runId: run?.id ?? null, step, state, input: JSON.stringify(call), createdAt };
  const { count } = await prisma.targetJob.createMany({ data, skipDuplicates: true });
  // The result arrived before the job was created.
  if (count === 0) await prisma.targetJob.updateMany({ where: { id, runId: null }, data: { runId: data.runId, step } });
  if (run !== null && step !== null)
    await prisma.targetJob.deleteMany({ where: { runId: run.id, step: { lt: step } } });
}

/** Waits for the answer of a call. A single loop polls for all waiting calls of a process. */
async function awaitResult(database: Database, { id, target }: TargetCall, signal: AbortSignal): Promise<TargetAnswer> {
  signal.throwIfAborted();
  const waiters = waitersOf.get(database) ?? { byId: new Map(), wake: null };
  waitersOf.set(database, waiters);
  const { promise, resolve, reject } = Promise.withResolvers<TargetAnswer>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  waiters.byId.set(id, { target, resolve, reject });
  if (waiters.wake === null) void look(database, waiters);
  else waiters.wake();
  try {
    return await promise;
  } finally {
    waiters.byId.delete(id);
    signal.removeEventListener('abort', onAbort);
  }
}

async function look(database: Database, waiters: Waiters): Promise<void> {
  while (waiters.byId.size > 0) {
    const mark = markChanges(database);
    const pause = new AbortController();
    waiters.wake = () => pause.abort();
    try {
      await findAnswers(database, waiters);
    } catch (error) {
      // Answers are not lost, but read when the database is reachable again.
      if (!isUnreachable(error)) for (const { reject } of waiters.byId.values()) reject(error);
    }
    if (waiters.byId.size > 0) await nextChange(database, mark, ['targets'], LOOK_MS, pause.signal);
  }
  waiters.wake = null;
}

async function findAnswers({ prisma }: Database, { byId }: Waiters): Promise<void> {
  const ids = [...byId.keys()];
  const rows = await prisma.targetJob.findMany({ where: { id: { in: ids } }, select: { id: true, answer: true } });
  for (const { id, answer } of rows) if (answer !== null) byId.get(id)?.resolve(readResult(answer));
  const there = new Set(rows.map(({ id }) => id));
  for (const id of ids.filter((one) => !there.has(one))) {
    const waiter = byId.get(id);
    waiter?.reject(createMissingTargetError(waiter.target));
  }
}

function createMissingTargetError(target: string): TargetError {
  return new TargetError({
    kind: 'not_found',
    message: `The target "${target}" or its run was deleted while Hone waited for the output.`,
    remedy: 'Connect the app again, then resume the run.',
    again: false,
  });
}
