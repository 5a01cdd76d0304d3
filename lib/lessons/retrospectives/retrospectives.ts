import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { withIsoTimes } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { addChecks } from '../load-lesson.ts';
import { insertRetrospectiveLessons, type NewRetrospectiveLesson } from '../write-queries.ts';
import { retrospectiveStep } from './steps.ts';

/**
 * State of a retrospective: requested (`waiting`), completed (`done`), response in no usable form and nothing stored (`unusable`), or no
 * response (`failed`).
 */
const RETROSPECTIVE_STATUSES = ['waiting', 'done', 'unusable', 'failed'] as const;

/**
 * Retrospective of a whole run with the current state of its lessons. `counts` is the number of lessons of each kind, including deleted
 * ones.
 */
export const retrospectiveSchema = z.object({
  number: z.int(),
  status: z.enum(RETROSPECTIVE_STATUSES),
  requestedBy: z.string(),
  requestedAt: z.string(),
  settledAt: z.string().nullable(),
  counts: z.partialRecord(z.enum(LESSON_KINDS), z.int().min(0)),
  /** Human-readable reason why nothing was stored, or a description of what was left out. */
  message: z.string().nullable(),
  tokens: z.int(),
  costUsd: z.number().nullable(),
  lessons: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(LESSON_KINDS),
      status: z.enum(LESSON_STATUSES),
      /** True if the lesson was merged into another one that says the same. */
      isMerged: z.boolean(),
      text: z.string(),
    }),
  ),
});
export type RetrospectiveRecord = z.infer<typeof retrospectiveSchema>;

/**
 * Requests a retrospective of a run. `scheduled` means that the experiment's schedule requested it, not a person. The caller must lock the
 * run's row so that numbers are consecutive from 1.
 */
export async function addRetrospective(
  { retrospective }: Transaction,
  runId: string,
  { requestedBy, at, scheduled = false }: { requestedBy: string; at: Date; scheduled?: boolean },
): Promise<void> {
  const last = await retrospective.findFirst({ where: { runId }, orderBy: { number: 'desc' } });
  await retrospective.create({
    data: { runId, number: (last?.number ?? 0) + 1, requestedBy, requestedAt: at, scheduled },
  });
}

/** Outcome of a retrospective. */
export type SettledRetrospective = Spend & {
  status: 'done' | 'unusable' | 'failed';
  message: string | null;
  lessons: NewRetrospectiveLesson[];
};

/** Saves the outcome of a retrospective claimed by `holder`, with its lessons. Does nothing if another holder has settled it. */
export async function settleRetrospective(
  database: Database,
  claim: { runId: string; number: number; holder: string },
  settled: SettledRetrospective,
  now: Date,
): Promise<void> {
  const { status, message, tokenUsage, costUsd, durationMs, lessons } = settled;
  const counts = Object.fromEntries(
    [...Map.groupBy(lessons, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  );
  await inTransaction(database, async (transaction) => {
    const { count } = await transaction.retrospective.updateMany({
      where: { runId: claim.runId, number: claim.number, heldBy: claim.holder, status: 'waiting' },
      data: {
        ...{ status, message, counts, costUsd, settledAt: now },
        ...{ inputTokens: tokenUsage.input, outputTokens: tokenUsage.output, durationMs: Math.round(durationMs) },
      },
    });
    if (count === 0 || lessons.length === 0) return;
    await insertRetrospectiveLessons(transaction, { ...claim, step: retrospectiveStep(claim.number), now }, lessons);
    const createdAt = now.toISOString();
    for (const { id, modelCheck } of lessons)
      if (modelCheck !== null)
        await addChecks(transaction, id, 0, [{ kind: 'model', edit: 0, createdAt, ...modelCheck }]);
  });
}

/** Returns all retrospectives of a run in the order of request. */
export async function listRetrospectives({ prisma }: DatabaseClient, runId: string): Promise<RetrospectiveRecord[]> {
  const rows = await prisma.retrospective.findMany({ where: { runId }, orderBy: { number: 'asc' } });
  if (rows.length === 0) return [];
  const left = await prisma.lesson.findMany({
    where: { runId, step: { in: rows.map(({ number }) => retrospectiveStep(number)) } },
    select: { id: true, kind: true, status: true, mergedIntoId: true, text: true, step: true },
    orderBy: [{ kind: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ inputTokens, outputTokens, ...row }) =>
    retrospectiveSchema.parse({
      ...withIsoTimes(row),
      tokens: inputTokens + outputTokens,
      lessons: left
        .filter(({ step }) => step === retrospectiveStep(row.number))
        .map(({ mergedIntoId, ...lesson }) => ({ ...lesson, isMerged: mergedIntoId !== null })),
    }),
  );
}
