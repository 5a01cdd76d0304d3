import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import type { Database } from '#lib/database/database.ts';

export type QueueFacts = {
  /** Jobs that may begin now. */
  ready: number;
  /** Jobs that failed and are tried again later. */
  later: number;
  active: number;
  /** How long the oldest job that may begin has waited, in seconds; 0 where there is none. */
  oldestSeconds: number;
};

/** How many runs are in each status. */
export async function countRunsByStatus({ prisma }: Pick<Database, 'prisma'>): Promise<[RunStatus, number][]> {
  const counted = await prisma.run.groupBy({ by: ['status'], _count: true });
  return RUN_STATUSES.map((status) => [status, counted.find((one) => one.status === status)?._count ?? 0]);
}

/** How the queue of runs stands, by the database's clock. */
export async function findQueueFacts({ prisma }: Pick<Database, 'prisma'>): Promise<QueueFacts> {
  const [facts] = await prisma.$queryRaw<QueueFacts[]>`
    SELECT count(*) FILTER (WHERE state < 'active' AND start_after <= now())::int AS ready,
      count(*) FILTER (WHERE state < 'active' AND start_after > now())::int AS later,
      count(*) FILTER (WHERE state = 'active')::int AS active,
      greatest(0, coalesce(extract(epoch FROM now() - min(greatest(created_on, start_after)) FILTER (WHERE state < 'active' AND start_after <= now())), 0))::float8 AS "oldestSeconds"
    FROM pgboss.job WHERE name = 'runs' AND state <= 'active'`;
  return facts ?? { ready: 0, later: 0, active: 0, oldestSeconds: 0 };
}

/** A provider that has answered none of its last calls, at least three within ten minutes. */
export type FailingProvider = { provider: string; failures: number; kind: string };

/** Calls that were never made (a budget, a stop) say nothing of a provider. */
export function failingProviders({ prisma }: Pick<Database, 'prisma'>): Promise<FailingProvider[]> {
  return prisma.$queryRaw<FailingProvider[]>`
    SELECT provider, count(*)::int AS failures, coalesce(mode() WITHIN GROUP (ORDER BY failure->>'kind'), 'unknown') AS kind
    FROM (
      SELECT provider, failure, created_at, max(created_at) FILTER (WHERE failure IS NULL) OVER (PARTITION BY provider) AS answered_at
      FROM model_calls WHERE created_at > now() - interval '10 minutes' AND attempts > 0) calls
    WHERE failure IS NOT NULL AND (answered_at IS NULL OR created_at > answered_at)
    GROUP BY provider HAVING count(*) >= 3 ORDER BY provider LIMIT 20`;
}

/** How far the database's clock is ahead of this process's (behind: negative), in milliseconds; half of the way there and back is in it. */
export async function clockSkewMs({ prisma }: Pick<Database, 'prisma'>, now: () => Date): Promise<number> {
  const before = now().getTime();
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const after = now().getTime();
  return (row?.now.getTime() ?? before) - (before + after) / 2;
}

/** A call as it counts in metrics; `failed` is the kind of its failure. */
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
 * The calls after a number that are settled, in order, at most `limit`, without their texts. Rows get their numbers before they can be
 * seen: younger ones may still be behind one that is seen, so they wait. `afterId` null: the newest that is settled alone.
 */
export function settledCalls(
  { prisma }: Pick<Database, 'prisma'>,
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
