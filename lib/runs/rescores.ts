import { z } from 'zod';
import type { History } from '#lib/core/history.ts';
import { overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { RESCORE_STATUSES, type Rescore, type RescoreReport, reportRescores } from '#lib/statistics/rescore-report.ts';
import { withoutPeople } from './run-facts.ts';

/** Adds `times` more re-scores of a version. The caller must lock the run's row, so that numbers have no gaps. */
export async function addRescores(
  transaction: Transaction,
  runId: string,
  { times, version, requestedBy, at }: { version: number; times: number; requestedBy: string; at: Date },
): Promise<void> {
  const last = await transaction.rescore.findFirst({ where: { runId }, orderBy: { number: 'desc' } });
  const first = (last?.number ?? 0) + 1;
  await transaction.rescore.createMany({
    data: Array.from({ length: times }, (_, index) => ({
      ...{ runId, number: first + index, version },
      ...{ requestedBy, requestedAt: at },
    })),
  });
}

/** Returns the version that a re-score judges, or null if there is no such re-score. */
export async function findRescoredVersion({ prisma }: Database, runId: string, number: number): Promise<number | null> {
  const rescore = await prisma.rescore.findUnique({ where: { runId_number: { runId, number } } });
  return rescore?.version ?? null;
}

/** The result of a re-score. */
export type SettledRescore = Spend &
  Pick<Rescore, 'overallScore' | 'criteriaScores' | 'message'> & { status: 'scored' | 'partial' | 'failed' };

/** Stores the result of a re-score that `holder` has claimed. If it failed, the waiting re-scores of the same version are skipped. */
export async function settleRescore(
  database: Database,
  claim: { runId: string; number: number; version: number; holder: string },
  settled: SettledRescore,
  now: Date,
): Promise<void> {
  const { status, overallScore, criteriaScores, message, tokenUsage, costUsd, durationMs } = settled;
  const { runId, number, version, holder } = claim;
  await inTransaction(database, async ({ rescore }) => {
    const { count } = await rescore.updateMany({
      where: { runId, number, heldBy: holder, status: 'waiting' },
      data: {
        ...{ status, overallScore, criteriaScores: cleanJson(criteriaScores), costUsd, settledAt: now },
        ...{ inputTokens: tokenUsage.input, outputTokens: tokenUsage.output, durationMs: Math.round(durationMs) },
        message: message === null ? null : cleanText(message),
      },
    });
    if (count === 0 || status !== 'failed') return;
    await rescore.updateMany({
      where: { runId, version, status: 'waiting' },
      data: { status: 'skipped', settledAt: now },
    });
  });
}

const rescoreSchema = z.object({
  status: z.enum(RESCORE_STATUSES),
  criteriaScores: z.record(z.string(), z.number().nullable()),
});

/** Returns all re-scores of a run in the order they were requested. */
export async function listRescores(database: Database, runId: string): Promise<Rescore[]> {
  const rows = await database.prisma.rescore.findMany({ where: { runId }, orderBy: { number: 'asc' } });
  return rows.map(({ version, overallScore, message, inputTokens, outputTokens, costUsd, ...row }) => ({
    ...{ version, overallScore, message, tokens: inputTokens + outputTokens, costUsd },
    ...rescoreSchema.parse(row),
  }));
}

/**
 * Returns the variation of the re-scores, one report for each version that has any, in version order. Criteria scored by people are left
 * out on both sides.
 */
export async function findRescores(
  database: Database,
  { run, history, settings }: { run: { id: string }; history: History; settings: ExperimentSettings },
): Promise<RescoreReport[]> {
  const judged = withoutPeople(settings);
  const rescores = await listRescores(database, run.id);
  const versions = [...new Set(rescores.map(({ version }) => version))].sort((one, other) => one - other);
  return versions.map((version) => {
    const own = history.evaluations.filter((one) => one.version === version && one.by === 'machine');
    const first = own.find(({ status }) => status === 'scored') ?? own.at(-1) ?? null;
    return reportRescores(
      version,
      rescores.filter((rescore) => rescore.version === version),
      first && { ...first, overallScore: overallOf(judged, first.criteriaScores) },
      judged.criteria.map(({ name }) => name),
    );
  });
}
