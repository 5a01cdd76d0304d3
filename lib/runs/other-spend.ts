import type { TokenUsage } from '#lib/core/token-usage.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { insertSpendOfRuns, lockRuns, type RunsOf } from './queries.ts';

/** What a call was made for that no run's journal tells of. `late_call`: of a worker whose run had gone on elsewhere. */
export type SpendPurpose = 'playground' | 'criterion_try' | 'connection_test' | 'late_call';

type OtherSpend = {
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
 * Keeps what runs cost that are about to be deleted in the same transaction, month by month: deleting gives no budget back. Nobody
 * can add to them any more from here on.
 */
export async function saveSpendOfRuns(transaction: Transaction, runs: RunsOf): Promise<void> {
  await lockRuns(transaction, runs);
  await insertSpendOfRuns(transaction, runs);
}
