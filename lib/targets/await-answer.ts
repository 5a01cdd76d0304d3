import { markChanges, nextChange } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { isUnreachable } from '#lib/database/while-unreachable.ts';
import {
  type NewJob,
  type TargetAnswer,
  type TargetJobs,
  targetResultSchema,
} from '#lib/providers/target/target-call.ts';

/** How often answers are looked for where none were announced, in milliseconds. */
const LOOK_MS = 1_000;

type Waiter = { resolve: (result: TargetAnswer) => void; reject: (error: unknown) => void };
/** `wake` ends the pause between two looks. */
type Waiters = { byId: Map<string, Waiter>; wake: (() => void) | null };
const waitersOf = new WeakMap<Database, Waiters>();

export function targetJobs(database: Database, now: () => Date): TargetJobs {
  return {
    find: async (id) => {
      const job = await database.prisma.targetJob.findUnique({ where: { id }, select: { answer: true } });
      return job === null ? undefined : job.answer === null ? 'waiting' : readResult(job.answer);
    },
    await: async (job, signal) => {
      await makeJob(database, job, now());
      return awaitResult(database, job.call.id, signal);
    },
    forget: async (id) => {
      await database.prisma.targetJob.deleteMany({ where: { id } });
    },
  };
}

function readResult(answer: string): TargetAnswer {
  return targetResultSchema.parse(JSON.parse(answer));
}

/** What earlier steps of the run asked for is journaled by now. */
async function makeJob({ prisma }: Database, { call, step, state }: NewJob, createdAt: Date): Promise<void> {
  const { id, target, run } = call;
  const data = { id, target, runId: run?.id ?? null, step, state, input: JSON.stringify(call), createdAt };
  await prisma.targetJob.createMany({ data, skipDuplicates: true });
  if (run !== null && step !== null)
    await prisma.targetJob.deleteMany({ where: { runId: run.id, step: { lt: step }, state: 'answered' } });
}

/** All calls of a process that wait are looked for together. */
async function awaitResult(database: Database, id: string, signal: AbortSignal): Promise<TargetAnswer> {
  signal.throwIfAborted();
  const waiters = waitersOf.get(database) ?? { byId: new Map(), wake: null };
  waitersOf.set(database, waiters);
  const { promise, resolve, reject } = Promise.withResolvers<TargetAnswer>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  waiters.byId.set(id, { resolve, reject });
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
      // Answers are kept: they are found when the database is back.
      if (!isUnreachable(error)) for (const { reject } of waiters.byId.values()) reject(error);
    }
    if (waiters.byId.size > 0) await nextChange(database, mark, ['targets'], LOOK_MS, pause.signal);
  }
  waiters.wake = null;
}

async function findAnswers({ prisma }: Database, { byId }: Waiters): Promise<void> {
  const rows = await prisma.targetJob.findMany({
    where: { id: { in: [...byId.keys()] }, state: 'answered' },
    select: { id: true, answer: true },
  });
  for (const { id, answer } of rows) if (answer !== null) byId.get(id)?.resolve(readResult(answer));
}
