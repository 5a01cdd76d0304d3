import type { z } from 'zod';
import type { TimedContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { markChanges, nextChange } from '#lib/database/changes.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import type { Prisma, TargetJob } from '#lib/database/generated/client.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { targetCallSchema } from '#lib/providers/target/target-call.ts';
import {
  type heartbeatAnswerSchema,
  heartbeatSchema,
  type jobAnswerSchema,
  jobClaimSchema,
  jobResultSchema,
  type jobsSchema,
  signOffSchema,
} from './schema.ts';

/** Lease of a job without a heartbeat, in seconds. */
const JOB_LEASE_SECONDS = 30;
/** Maximum number of times a job is handed out before it fails. */
const MAX_ATTEMPTS = 5;
/** Poll interval for jobs without a notification, in milliseconds. */
const LOOK_MS = 1_000;
/** Time after its last request at which a worker is deleted, in milliseconds. */
const WORKER_KEPT_MS = 86_400_000;
/** Minimum interval between two stored requests of a worker, in milliseconds. */
const NOTED_MS = 10_000;

type Target = TimedContext;

/** Time for which a job without a run may be claimed, in milliseconds. It is a test, and its sender does not wait longer. */
const TEST_MS = 600_000;

/** Returns the filter for jobs whose result is still awaited. */
function wantedAt(at: Date): Prisma.TargetJobWhereInput {
  const isTest = { runId: null, createdAt: { gt: new Date(at.getTime() - TEST_MS) } };
  return { OR: [isTest, { run: { status: { in: ['queued', 'running'] } } }] };
}

/** Leases jobs of a target to a worker, oldest first. If there are none, waits for one. */
export async function claimJobs(
  context: Target,
  target: string,
  input: unknown,
  signal: AbortSignal,
): Promise<Result<z.input<typeof jobsSchema>>> {
  const parsed = parseInput(jobClaimSchema, input);
  if (!parsed.ok) return parsed;
  const { worker, max, waitSeconds } = parsed.value;
  const { database } = context;
  const until = performance.now() + waitSeconds * 1_000;
  for (let isFirst = true; ; isFirst = false) {
    const mark = markChanges(database);
    if (!(await isTarget(database, target))) return unknownTarget(target);
    if (!(await recordWorker(context, target, worker, isFirst))) return succeed({ jobs: [] });
    const claimed = await claimWaiting(context, target, worker, max);
    if (claimed.length > 0) return succeed({ jobs: claimed.map(handedOut) });
    const leftMs = until - performance.now();
    if (leftMs <= 0) return succeed({ jobs: [] });
    await nextChange(database, mark, ['targets'], Math.min(leftMs, LOOK_MS), signal);
    // The client disconnected, so the worker is not recorded and gets no job.
    if (signal.aborted) return succeed({ jobs: [] });
  }
}

async function isTarget({ prisma }: DatabaseClient, name: string): Promise<boolean> {
  return (await prisma.provider.count({ where: { name, kind: 'target' } })) === 1;
}

function unknownTarget(name: string) {
  return fail('not_found', `There is no target named ${JSON.stringify(name)}. Register it first.`);
}

/** Records that a worker requests jobs. Returns false if it has signed off since its request started. */
async function recordWorker(
  { database, now }: Target,
  target: string,
  worker: string,
  isFirst: boolean,
): Promise<boolean> {
  const { targetWorker } = database.prisma;
  const seenAt = now();
  const where = { target, worker };
  const known = await targetWorker.findUnique({ where: { target_worker: where } });
  if (known !== null && Math.abs(seenAt.getTime() - known.seenAt.getTime()) < NOTED_MS) return true;
  if (!isFirst) return (await targetWorker.updateMany({ where, data: { seenAt } })).count > 0;
  // Each process has a new name, so old workers are deleted when a new one appears.
  const silentBefore = new Date(seenAt.getTime() - WORKER_KEPT_MS);
  if (known === null) await targetWorker.deleteMany({ where: { target, seenAt: { lt: silentBefore } } });
  await targetWorker.upsert({ where: { target_worker: where }, create: { ...where, seenAt }, update: { seenAt } });
  return true;
}

/** Removes a worker that has stopped, so that its target does not count as connected. */
export async function signOffWorker(
  { database }: Target,
  target: string,
  input: unknown,
): Promise<Result<{ deleted: { workers: number } }>> {
  const parsed = parseInput(signOffSchema, input);
  if (!parsed.ok) return parsed;
  if (!(await isTarget(database, target))) return unknownTarget(target);
  const { worker } = parsed.value;
  const { count } = await database.prisma.targetWorker.deleteMany({ where: { target, worker } });
  return succeed({ deleted: { workers: count } });
}

/** If several workers find the same job, the update succeeds for one of them. */
async function claimWaiting(
  { database, now }: Target,
  target: string,
  worker: string,
  max: number,
): Promise<TargetJob[]> {
  const at = now();
  const usedUp = { message: `No worker finished the job in ${MAX_ATTEMPTS} attempts.`, retry: false };
  await database.prisma.targetJob.updateMany({
    where: { target, state: 'held', heldUntil: { lt: at }, attempts: { gte: MAX_ATTEMPTS } },
    data: { state: 'answered', answer: JSON.stringify({ error: usedUp }), answeredAt: at, heldUntil: null },
  });
  const free = [{ state: 'waiting' }, { state: 'held', heldUntil: { lt: at } }];
  const found = await database.prisma.targetJob.findMany({
    where: { target, AND: [{ OR: free }, wantedAt(at)] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: max,
    select: { id: true },
  });
  const claimed: TargetJob[] = [];
  for (const { id } of found) {
    const rows = await database.prisma.targetJob.updateManyAndReturn({
      where: { id, OR: free },
      data: { state: 'held', worker, heldUntil: leaseFrom(at), attempts: { increment: 1 } },
    });
    claimed.push(...rows);
  }
  return claimed;
}

function leaseFrom(at: Date): Date {
  return new Date(at.getTime() + JOB_LEASE_SECONDS * 1_000);
}

function handedOut({ id, attempts, input }: TargetJob) {
  return { id, attempt: attempts, leaseSeconds: JOB_LEASE_SECONDS, input: targetCallSchema.parse(JSON.parse(input)) };
}

/** Renews the leases of a worker. Jobs that another worker has, or that no run waits for, are returned as lost. */
export async function renewJobs(
  { database, now }: Target,
  target: string,
  input: unknown,
): Promise<Result<z.input<typeof heartbeatAnswerSchema>>> {
  const parsed = parseInput(heartbeatSchema, input);
  if (!parsed.ok) return parsed;
  const { worker, jobs } = parsed.value;
  if (!(await isTarget(database, target))) return unknownTarget(target);
  const at = now();
  const renewed = await database.prisma.targetJob.updateManyAndReturn({
    where: { id: { in: jobs }, target, worker, state: 'held', AND: [wantedAt(at)] },
    data: { heldUntil: leaseFrom(at) },
    select: { id: true },
  });
  const renewedIds = new Set(renewed.map(({ id }) => id));
  return succeed({ held: [...renewedIds], lost: jobs.filter((id) => !renewedIds.has(id.toLowerCase())) });
}

/**
 * Stores the result of a job. The first result counts, even from a worker whose lease has expired. Sending the same result again has no
 * effect. A retryable error makes the job available again.
 */
export async function answerJob(
  { database, now }: Target,
  target: string,
  id: string,
  input: unknown,
): Promise<Result<z.input<typeof jobAnswerSchema>>> {
  const parsed = parseInput(jobResultSchema, input);
  if (!parsed.ok) return parsed;
  const { worker, ...result } = parsed.value;
  const answer = JSON.stringify(result);
  // Only the worker that holds the job may report an error.
  const own = result.error && worker ? { worker } : {};
  if (result.error?.retry === true) {
    const given = await database.prisma.targetJob.updateMany({
      where: { id, target, state: 'held', heldUntil: { not: null }, attempts: { lt: MAX_ATTEMPTS }, ...own },
      data: { state: 'waiting', worker: null, heldUntil: null },
    });
    if (given.count === 1) return succeed({ accepted: true, reason: null });
  }
  const taken = await database.prisma.targetJob.updateMany({
    where: { id, target, state: { not: 'answered' }, ...own },
    data: { state: 'answered', answer, answeredAt: now(), heldUntil: null },
  });
  if (taken.count === 1) return succeed({ accepted: true, reason: null });
  const stored = await database.prisma.targetJob.findFirst({ where: { id, target }, select: { answer: true } });
  if (stored === null && (await saveEarlyResult({ database, now }, target, id, answer)))
    return succeed({ accepted: true, reason: null });
  if (stored === null)
    return fail(
      'not_found',
      `There is no job ${id} of the target ${JSON.stringify(target)}. Its run was deleted or has continued.`,
    );
  if (stored.answer === answer) return succeed({ accepted: true, reason: null });
  return succeed({
    accepted: false,
    reason: stored.answer === null ? 'Another worker has the job.' : 'The job has another result already.',
  });
}

/** Retention of an early result, in milliseconds. */
const EARLY_MS = 86_400_000;

/** Stores a result that arrives before its job exists. The callback of an app may arrive before its response with status 202. */
async function saveEarlyResult(
  { database, now }: Target,
  target: string,
  id: string,
  answer: string,
): Promise<boolean> {
  const { prisma } = database;
  const isCalled = { name: target, kind: 'target', baseUrl: { not: null } };
  if ((await prisma.provider.count({ where: isCalled })) === 0) return false;
  const createdAt = now();
  const old = new Date(createdAt.getTime() - EARLY_MS);
  await prisma.targetJob.deleteMany({ where: { target, runId: null, createdAt: { lt: old } } });
  const data = { id, target, input: '{}', state: 'answered', answer, createdAt, answeredAt: createdAt };
  return (await prisma.targetJob.createMany({ data, skipDuplicates: true })).count === 1;
}
