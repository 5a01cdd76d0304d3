import type { TokenUsage } from '#lib/core/token-usage.ts';
import type { Transaction } from '#lib/database/transactions.ts';

/** What a call was made for that no run's journal tells of. `late_call`: of a worker whose run had gone on elsewhere. */
export type SpendPurpose = 'playground' | 'criterion_try' | 'connection_test' | 'late_call';

export type OtherSpend = {
  experimentId: string | null;
  purpose: SpendPurpose;
  provider: string;
  tokenUsage: TokenUsage;
  /** Null where no price is known. */
  costUsd: number | null;
};

/** Keeps what a call cost that no run's journal tells of. */
export async function addOtherSpend(
  { prisma }: { prisma: Transaction },
  { experimentId, purpose, provider, tokenUsage, costUsd }: OtherSpend,
  now: Date,
): Promise<void> {
  await prisma.$executeRawUnsafe(
    `INSERT INTO other_spend (experiment_id, purpose, provider, calls, input_tokens, output_tokens, cost_usd, unpriced_calls, created_at)
      VALUES ((SELECT id FROM experiments WHERE id = $1), $2, $3, 1, $4, $5, $6, $7, $8)`,
    ...[experimentId, purpose, provider, tokenUsage.input, tokenUsage.output],
    ...[costUsd ?? 0, costUsd === null ? 1 : 0, now],
  );
}

/**
 * Keeps what runs cost that are about to be deleted in the same transaction, month by month: deleting gives no budget back. Nobody
 * can add to them any more from here on.
 */
export async function saveSpendOfRuns(
  transaction: Transaction,
  runs: { runId: string } | { experimentId: string },
): Promise<void> {
  const isOne = 'runId' in runs;
  const id = isOne ? runs.runId : runs.experimentId;
  const which = isOne ? 'id = $1::uuid' : 'experiment_id = $1::uuid';
  await transaction.$executeRawUnsafe(`SELECT 1 FROM runs WHERE ${which} FOR UPDATE`, id);
  await transaction.$executeRawUnsafe(
    `INSERT INTO other_spend (experiment_id, purpose, provider, calls, input_tokens, output_tokens, cost_usd, unpriced_calls, created_at)
      SELECT r.experiment_id, 'deleted_runs', c.provider, count(*), least(sum(c.input_tokens), ${MOST_TOKENS}), least(sum(c.output_tokens), ${MOST_TOKENS}),
        coalesce(sum(c.cost_usd), 0), count(*) FILTER (WHERE c.cost_usd IS NULL), max(c.created_at)
      FROM (SELECT id, experiment_id FROM runs WHERE ${which}) r JOIN model_calls c ON c.run_id = r.id AND c.attempts > 0
      GROUP BY r.experiment_id, c.provider, date_trunc('month', c.created_at)`,
    id,
  );
}

const MOST_TOKENS = 2_147_483_647;
