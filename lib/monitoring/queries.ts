import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import type { DatabaseClient } from '#lib/database/database.ts';

export type QueueFacts = {
  /** Number of jobs ready to start. */
  ready: number;
  /** Number of failed jobs that will be retried later. */
  later: number;
  active: number;
  /** Wait time of the oldest ready job, in seconds. 0 if there is none. */
  oldestSeconds: number;
};

/** Returns the number of runs in each status. */
export async function countRunsByStatus({ prisma }: DatabaseClient): Promise<[RunStatus, number][]> {
  const counted = await prisma.run.groupBy({ by: ['status'], _count: true });
  return RUN_STATUSES.map((status) => [status, counted.find((one) => one.status === status)?._count ?? 0]);
}

/** Returns the state of the run queue, by the database's clock. */
export async function findQueueFacts({ prisma }: DatabaseClient): Promise<QueueFacts> {
  const [facts] = await prisma.$queryRaw<QueueFacts[]>`
    SELECT count(*) FILTER (WHERE state < 'active' AND start_after <= now())::int AS ready,
      count(*) FILTER (WHERE state < 'active' AND start_after > now())::int AS later,
      count(*) FILTER (WHERE state = 'active')::int AS active,
      greatest(0, coalesce(extract(epoch FROM now() - min(greatest(created_on, start_after)) FILTER (WHERE state < 'active' AND start_after <= now())), 0))::float8 AS "oldestSeconds"
    FROM pgboss.job WHERE name = 'runs' AND state <= 'active'`;
  return facts ?? { ready: 0, later: 0, active: 0, oldestSeconds: 0 };
}

/** Provider whose last calls all failed, at least three within ten minutes. */
export type FailingProvider = { provider: string; failures: number; kind: string };

/** Returns failing providers. Calls that were never made (because of a budget or a stop) are ignored. */
export function failingProviders({ prisma }: DatabaseClient): Promise<FailingProvider[]> {
  return prisma.$queryRaw<FailingProvider[]>`
    SELECT provider, count(*)::int AS failures, coalesce(mode() WITHIN GROUP (ORDER BY failure->>'kind'), 'unknown') AS kind
    FROM (
      SELECT provider, failure, created_at, max(created_at) FILTER (WHERE failure IS NULL) OVER (PARTITION BY provider) AS answered_at
      FROM model_calls WHERE created_at > now() - interval '10 minutes' AND attempts > 0) calls
    WHERE failure IS NOT NULL AND (answered_at IS NULL OR created_at > answered_at)
    GROUP BY provider HAVING count(*) >= 3 ORDER BY provider LIMIT 20`;
}

/**
 * Returns how far the database's clock is ahead of this process's, in milliseconds (negative if behind). Includes half of the round-trip
 * time.
 */
export async function clockSkewMs({ prisma }: DatabaseClient, now: () => Date): Promise<number> {
  const before = now().getTime();
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const after = now().getTime();
  return (row?.now.getTime() ?? before) - (before + after) / 2;
}

/** Call as counted in metrics. `failed` is the kind of its failure. */
type CountedCall = {
  id: number;
  provider: string;
  model: string;
  failed: string | null;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  latencyMs: number;
};

/**
 * Returns up to `limit` settled calls after an id, in order, without their texts. Ids are assigned before rows become visible. Recent calls
 * are therefore excluded: a row with a lower id may still appear. `afterId` null returns only the newest settled call.
 */
export function settledCalls(
  { prisma }: DatabaseClient,
  afterId: number | null,
  limit: number,
): Promise<CountedCall[]> {
  const which = afterId === null ? 'ORDER BY id DESC' : 'AND id > $2 ORDER BY id';
  return prisma.$queryRawUnsafe<CountedCall[]>(
    `SELECT id, provider, model, failure->>'kind' AS failed, input_tokens AS "inputTokens", output_tokens AS "outputTokens",
       cost_usd AS "costUsd", latency_ms AS "latencyMs"
     FROM model_calls WHERE created_at < now() - interval '5 seconds' ${which} LIMIT $1`,
    ...(afterId === null ? [1] : [limit, afterId]),
  );
}
