import { type BudgetWarning, findBudgetWarnings } from '#lib/budgets/queries.ts';
import type { AppContext, TimedContext } from '#lib/context/app-context.ts';
import { namedModels } from '#lib/core/named-models.ts';
import { findExperimentVersion } from '#lib/experiments/queries.ts';
import { formatCount, formatMoment, formatMoney, formatNumberOf } from '#lib/format.ts';
import { listLiveProcesses } from '#lib/queue/queries.ts';
import { batchHoldSchema } from '#lib/runs/hold-batch.ts';
import { findProviderLimits, findQueueRow, type ProviderLimitRow } from '#lib/runs/queries.ts';
import { RATE_LIMITED } from '#lib/runs/rate-limits.ts';
import type { CurrentRateLimit, QueuePlace, QueueReason } from '#lib/runs/schema.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { isDisconnected } from '#lib/targets/list-targets.ts';

export type QueueFacts = {
  status: QueuePlace['status'];
  ahead: number;
  triedAgainAt: Date | null;
  rateLimit: CurrentRateLimit | null;
  /** Name of the target that generates the outputs, if none of its workers is connected. */
  disconnected: string | null;
  /** All live processes. */
  processes: readonly { slots: number; busy: number }[];
  /** Limits of the providers of its models. */
  limits: readonly ProviderLimitRow[];
  /** Budgets that are used up or nearly so. */
  budgets: readonly BudgetWarning[];
  now: Date;
};

/** Minimum wait for a provider that is reported, in milliseconds. */
const LONG_TURN_MS = 2_000;

/** Returns the reasons why a run waits, the most important first. A queued run always has one. */
export function queuePosition(facts: QueueFacts): QueuePlace {
  const { status, ahead } = facts;
  switch (status) {
    case 'queued': {
      const reasons = [
        ...queueReasons(facts),
        ...budgetReasons(facts.budgets),
        ...targetReasons(facts),
        ...providerReasons(facts),
      ];
      return { status, ahead, reasons: reasons.length > 0 ? reasons : [BEGINS] };
    }
    case 'running':
      return {
        status,
        ahead: null,
        reasons: [...rateLimitReasons(facts), ...targetReasons(facts), ...providerReasons(facts)],
      };
    case 'waiting':
    case 'finished':
    case 'failed':
    case 'stopped':
      return { status, ahead: null, reasons: [] };
  }
}

const BEGINS: QueueReason = { kind: 'begins', message: 'A worker is free. The run starts in a moment.', until: null };

function queueReasons({ triedAgainAt, processes, ahead }: QueueFacts): QueueReason[] {
  const slots = processes.reduce((sum, one) => sum + one.slots, 0);
  const free = processes.reduce((sum, one) => sum + Math.max(0, one.slots - one.busy), 0);
  const before =
    ahead === 0 ? 'It starts next.' : `${formatNumberOf(ahead, 'run')} ${ahead === 1 ? 'starts' : 'start'} before it.`;
  if (slots === 0)
    return [
      {
        kind: 'no_worker',
        message: `No process performs runs. Start one (${commandLine('worker')}), or set HONE_WORKER_SLOTS above 0. ${before}`,
        until: null,
      },
    ];
  if (triedAgainAt !== null)
    return [
      {
        kind: 'tried_again',
        message:
          'A worker could not perform the run, usually because the database was unavailable. Hone tries it again automatically.',
        until: triedAgainAt.toISOString(),
      },
    ];
  if (free === 0)
    return [{ kind: 'slots_full', message: `${formatAllOf(slots, 'worker slot')} in use. ${before}`, until: null }];
  if (ahead >= free) return [{ kind: 'earlier_runs', message: before, until: null }];
  return [];
}

function formatAllOf(count: number, noun: string, of = ''): string {
  return count === 1 ? `The one ${noun}${of} is` : `All ${formatNumberOf(count, noun)}${of} are`;
}

function budgetReasons(budgets: readonly BudgetWarning[]): QueueReason[] {
  return budgets
    .filter(({ spent, limit }) => spent >= limit)
    .map(({ budget, unit, spent, limit }) => {
      const amount =
        unit === 'usd'
          ? `${formatMoney(spent)} of ${formatMoney(limit)}`
          : `${formatCount(spent)} of ${formatCount(limit)} tokens`;
      const whose = budget === 'month' ? "The month's budget" : "The experiment's budget";
      return {
        kind: 'budget',
        message: `${whose} is used up (${amount}): the run will stop at its next paid call.`,
        until: null,
      };
    });
}

function targetReasons({ disconnected }: QueueFacts): QueueReason[] {
  if (disconnected === null) return [];
  const message = `No worker of the target ${disconnected} is connected. Start the app. Calls wait for it until their timeout.`;
  return [{ kind: 'target_not_connected', message, until: null }];
}

function rateLimitReasons({ rateLimit }: QueueFacts): QueueReason[] {
  if (rateLimit === null) return [];
  const { provider, until } = rateLimit;
  return [
    { kind: 'rate_limit', message: `Waiting for the rate limit of ${provider} until ${formatMoment(until)}.`, until },
  ];
}

function providerReasons({ limits, now }: QueueFacts): QueueReason[] {
  return limits.flatMap(({ provider, maxConcurrency, held, nextCallAt }): QueueReason[] => {
    if (nextCallAt !== null && nextCallAt.getTime() - now.getTime() > LONG_TURN_MS)
      return [
        {
          kind: 'provider_rate',
          message: `The limit of calls per minute to ${provider} is reached until then.`,
          until: nextCallAt.toISOString(),
        },
      ];
    if (maxConcurrency !== null && held >= maxConcurrency)
      return [
        {
          kind: 'provider_slots',
          message: `${formatAllOf(maxConcurrency, 'place', ` for calls of ${provider}`)} in use. Further calls wait.`,
          until: null,
        },
      ];
    return [];
  });
}

/** Returns the position of a run in the queue and its reasons to wait. Null if there is no such run. */
export function findQueuePosition({ database, now }: TimedContext, runId: string): Promise<QueuePlace | null> {
  return findPosition({ database, now }, { runId });
}

/** Reasons of a run in progress that usually apply to all runs of its batch. */
const HOLDS_BATCH: readonly QueueReason['kind'][] = ['target_not_connected', 'rate_limit'];

/** Same, for the next run of a batch to start, otherwise for a waiting run in progress. Null if there is neither. */
export async function findBatchQueuePosition(context: TimedContext, batchId: string): Promise<QueuePlace | null> {
  const queued = await findPosition(context, { batchId });
  if (queued !== null) return queued;
  const run = await context.database.prisma.run.findFirst({
    where: { batchId, status: 'running' },
    orderBy: [{ pauseExpiresAt: { sort: 'asc', nulls: 'last' } }, { number: 'asc' }],
    select: { id: true },
  });
  const running = run === null ? null : await findPosition(context, { runId: run.id });
  return running?.reasons.some(({ kind }) => HOLDS_BATCH.includes(kind)) ? running : null;
}

async function findPosition(
  { database, now }: TimedContext,
  of: { runId: string } | { batchId: string },
): Promise<QueuePlace | null> {
  const row = await findQueueRow(database, of);
  if (row === null) return null;
  const { runId, status, experimentId, experimentVersion, ahead, triedAgainAt, rateLimit } = row;
  if (status !== 'queued' && status !== 'running') return { status, ahead: null, reasons: [] };
  const hold = status === 'queued' || rateLimit !== null ? await findHold(database, runId) : null;
  if (hold !== null) return { status, ahead, reasons: [hold] };
  const version = await findExperimentVersion(database, experimentId, experimentVersion);
  const providers = version === null ? [] : namedModels(version.settings).map(({ provider }) => provider);
  const target = version?.settings.generator.target?.name ?? null;
  const [processes, limits, budgets, isTargetOffline] = await Promise.all([
    listLiveProcesses(database),
    findProviderLimits(database, providers, now()),
    status === 'queued' ? findBudgetWarnings({ database, now }, experimentId) : [],
    target !== null && isDisconnected({ database, now }, target),
  ]);
  const disconnected = isTargetOffline ? target : null;
  return queuePosition({
    status,
    ahead,
    triedAgainAt,
    rateLimit,
    disconnected,
    processes,
    limits,
    budgets,
    now: now(),
  });
}

/** Returns what holds back a run that has not started or waits for a rate limit. Null if nothing does. */
async function findHold(
  { prisma }: Pick<AppContext['database'], 'prisma'>,
  runId: string,
): Promise<QueueReason | null> {
  const run = await prisma.run.findUnique({
    where: { id: runId, OR: [{ startedAt: null }, RATE_LIMITED] },
    select: { batch: { select: { held: true } } },
  });
  if (run === null || run.batch.held === null) return null;
  const { message } = batchHoldSchema.parse(run.batch.held);
  return {
    kind: 'batch_held',
    message: `Its batch is on hold: ${message} Fix this, then resume the batch.`,
    until: null,
  };
}
