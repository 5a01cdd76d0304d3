import type { TokenUsage } from '#lib/core/token-usage.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { insertSpendOfRuns, lockRuns, type RunsOf } from './queries.ts';

/** Purpose of a call that is in no run's journal. `late_call`: a call of a worker whose run had continued elsewhere. */
export type SpendPurpose = 'playground' | 'criterion_try' | 'connection_test' | 'late_call';

type OtherSpend = {
  experimentId: string | null;
  purpose: SpendPurpose;
  provider: string;
  tokenUsage: TokenUsage;
  /** Null if the price is unknown. */
  costUsd: number | null;
};

/** Records the cost of a call that is in no run's journal. */
export async function addOtherSpend(
  { prisma }: { prisma: Transaction },
  { experimentId, purpose, provider, tokenUsage, costUsd }: OtherSpend,
  now: Date,
): Promise<void> {
  const known =
    experimentId === null
      ? null
      : await prisma.experiment.findUnique({ where: { id: experimentId }, select: { id: true } });
  await prisma.otherSpend.create({
    data: {
      ...{ experimentId: known?.id ?? null, purpose, provider, calls: 1, createdAt: now },
      ...{ inputTokens: tokenUsage.input, outputTokens: tokenUsage.output },
      ...{ costUsd: costUsd ?? 0, unpricedCalls: costUsd === null ? 1 : 0 },
    },
  });
}

/**
 * Records by month the cost of runs that the same transaction will delete, so that deletion does not refund the budget. Locks the runs, so
 * no cost can be added to them afterwards.
 */
export async function saveSpendOfRuns(transaction: Transaction, runs: RunsOf): Promise<void> {
  await lockRuns(transaction, runs);
  await insertSpendOfRuns(transaction, runs);
}
