import { z } from 'zod';
import { DECISION_KINDS } from '#lib/core/decision-kinds.ts';
import { DECIDERS, type History } from '#lib/core/history.ts';
import { PAID_BEFORE } from '#lib/core/paid-before.ts';
import { RUN_STATUSES, type RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { toRunRecord } from '#lib/core/to-run-record.ts';
import type { Database } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { recalledTexts } from '#lib/lessons/recall-queries.ts';
import { type TuningSummary, tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { callSummarySchema } from './call-schema.ts';
import { loadRun } from './load-run.ts';
import { type RunLessons, runLessonsSchema } from './schema.ts';

/** The lessons in the prompts of a run's versions, and those it wrote, as they stand now; empty where there is no such run. */
export async function findRunLessons(database: Database, runId: string): Promise<RunLessons> {
  const [recalled, rows] = await Promise.all([
    recalledTexts(database, runId),
    database.prisma.lesson.findMany({
      where: { runId },
      select: {
        ...{ id: true, kind: true, status: true, admission: true, withheld: true },
        ...{ mergedIntoId: true, version: true, text: true },
      },
      orderBy: [{ version: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    }),
  ]);
  const written = rows.map(({ withheld, admission, ...lesson }) => ({
    ...lesson,
    // One that was screened when it was written is held at once, before the worker has seen to it.
    admission: withheld && lesson.status === 'candidate' && admission === 'waiting' ? 'held' : admission,
  }));
  return { recalled, written: runLessonsSchema.shape.written.parse(written) };
}

/** How far a run has come: its status and the number of its last stored event (0 before the first). */
type RunProgress = { status: string; eventNumber: number };

/** Null where there is no such run. Small enough to be asked after every event. */
export async function findRunProgress(database: Database, runId: string): Promise<RunProgress | null> {
  return database.prisma.run.findUnique({ where: { id: runId }, select: { status: true, eventNumber: true } });
}

const resultRow = z.object({
  id: z.string(),
  number: z.int(),
  status: z.string(),
  success: z.boolean(),
  convergenceReason: z.string().nullable(),
  input: z.string(),
  reference: z.string().nullable(),
  /** The version that is its result: the accepted one, else the best; null where nobody accepted one and none was scored. */
  version: z.int().nullable(),
  versionCount: z.int(),
  /** Null where the text was not kept, or there is none. */
  output: z.string().nullable(),
  score: z.number().nullable(),
  satisfactory: z.boolean(),
  criteriaScores: z.record(z.string(), z.number().nullable()),
  reasons: z.record(z.string(), z.string()),
  criteria: criteriaColumn,
});
/** What a run came to: the version that is its result, and the evaluation that counts for it. */
export type RunResult = z.infer<typeof resultRow>;

const FIND = `
  SELECT r.id, r.number, r.status, r.success, r.convergence_reason AS "convergenceReason", r.input, r.reference, r.criteria, v.number AS version,
    r.version_count AS "versionCount", CASE WHEN v.output_dropped THEN NULL ELSE v.output END AS output,
    CASE WHEN e.status = 'scored' THEN e.overall_score END AS score, coalesce(e.satisfactory, false) AS satisfactory,
    coalesce(e.criteria_scores, '{}') AS "criteriaScores", coalesce(e.reasons, '{}') AS reasons
  FROM runs r
  LEFT JOIN reflection_versions v ON v.run_id = r.id
    AND v.number = CASE WHEN r.convergence_reason = 'user_accepted' THEN r.final_version ELSE r.best_version END
  LEFT JOIN LATERAL (
    SELECT * FROM evaluations e WHERE e.run_id = r.id AND e.version = v.number
    ORDER BY (e.by = 'person' AND e.status = 'scored') DESC, e.ordinal DESC LIMIT 1) e ON true
  WHERE r.id = $1`;

/** The result of a run; null where there is no such run. */
export async function findRunResult({ prisma }: Pick<Database, 'prisma'>, runId: string): Promise<RunResult | null> {
  const [row] = await prisma.$queryRawUnsafe<unknown[]>(FIND, runId);
  return row === undefined ? null : resultRow.parse(row);
}

/** A run as pages and the API show it, with the history that its record was made from. */
export type FoundRun = {
  record: RunRecord;
  settings: ExperimentSettings;
  experimentName: string;
  history: History;
  /** How its prompts did on its cases; null where it tunes no prompt. */
  tuning: TuningSummary | null;
};

/** Reads a run; null when there is none. */
export async function findRun(database: Database, id: string): Promise<FoundRun | null> {
  const stored = await loadRun(database, id);
  if (stored === null) return null;
  const { run, history, settings, experimentName } = stored;
  const { input, reference, tags, metadata, criteria, branchedFromRunId: sourceId, branchedFromVersion: from } = run;
  const source =
    sourceId === null
      ? null
      : await database.prisma.run.findUnique({ where: { id: sourceId }, select: { number: true } });
  const branchedFrom = from === null ? null : { runId: sourceId, number: source?.number ?? null, version: from };
  const record = toRunRecord(
    {
      id: run.id,
      number: run.number,
      experimentId: run.experimentId,
      experimentVersion: run.experimentVersion,
      batchId: run.batchId,
      branchedFrom,
      case: { input, reference, tags, metadata, ...(criteria && { criteria }) },
      status: run.status,
      ending:
        run.convergenceReason === null
          ? null
          : {
              reason: run.convergenceReason,
              alsoHeld: run.alsoHeld,
              success: run.success,
              finalVersion: run.finalVersion,
            },
      createdAt: run.createdAt,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      lastEvent: run.eventNumber,
    },
    history,
    settings,
  );
  const tuning = settings.mode === 'tune' ? tuningSummary(history, settings) : null;
  return { record, settings, experimentName, history, tuning };
}

/** How many runs wait for a person. */
export function countWaitingRuns(database: Database): Promise<number> {
  return database.prisma.run.count({ where: { status: 'waiting' } });
}

/** Whether there is this version (counted from 0) of a run. */
export async function hasRunVersion({ prisma }: Database, runId: string, version: number): Promise<boolean> {
  return (await prisma.reflectionVersion.count({ where: { runId, number: version } })) > 0;
}

/** The runs that were branched from a run, the oldest first: which of its versions each began with. */
export async function findBranches(
  { prisma }: Database,
  runId: string,
): Promise<{ runId: string; number: number; version: number }[]> {
  const branches = await prisma.run.findMany({
    where: { branchedFromRunId: runId, branchedVersion: { not: null } },
    select: { id: true, number: true, branchedVersion: true },
    orderBy: { number: 'asc' },
  });
  return branches.map(({ id, number, branchedVersion }) => ({ runId: id, number, version: branchedVersion ?? 0 }));
}

/** What was said beside the answers of a run's models, and what its calls may have cost beyond them. */
export type RunWarnings = {
  warnings: { text: string; calls: number }[];
  /** Null where no try without a response may have been billed. */
  maybeBilled: { calls: number; tries: number; tokens: number; costUsd: number } | null;
};

/** Different warnings that are told of a run. */
const MOST_WARNINGS = 20;

const warningRow = z.object({ text: z.string(), calls: z.int() });

/** The warnings of a run's calls, the most frequent first and without that a reply was paid for before, and the sum of what may have been billed. */
export async function findRunWarnings({ prisma }: Pick<Database, 'prisma'>, runId: string): Promise<RunWarnings> {
  const [warnings, billed] = await Promise.all([
    prisma.$queryRawUnsafe(
      `SELECT w AS text, count(*)::int AS calls FROM model_calls CROSS JOIN LATERAL unnest(warnings) AS w
       WHERE run_id = $1 AND cardinality(warnings) > 0 AND w <> $2 GROUP BY w ORDER BY calls DESC, w LIMIT ${MOST_WARNINGS}`,
      ...[runId, PAID_BEFORE],
    ),
    prisma.modelCall.findMany({
      where: { runId, maybeBilled: { not: Prisma.AnyNull } },
      select: { maybeBilled: true },
    }),
  ]);
  const parts = billed.flatMap(({ maybeBilled }) => callSummarySchema.shape.maybeBilled.parse(maybeBilled) ?? []);
  const sum = (amount: (part: (typeof parts)[number]) => number) => parts.reduce((all, part) => all + amount(part), 0);
  return {
    warnings: z.array(warningRow).parse(warnings),
    maybeBilled:
      parts.length === 0
        ? null
        : {
            calls: parts.length,
            tries: sum(({ tries }) => tries),
            tokens: sum(({ input, output }) => input + output),
            costUsd: sum(({ costUsd }) => costUsd ?? 0),
          },
  };
}

const pauseDecisionSchema = z.object({
  decision: z.enum(DECISION_KINDS),
  version: z.int().nullable(),
  by: z.enum(DECIDERS),
  actor: z.string().nullable(),
  at: z.date().transform((date) => date.toISOString()),
});
export type PauseDecision = z.infer<typeof pauseDecisionSchema>;

/** What ended a pause; null while it is open, and where its run was ended without it. */
export async function findPauseDecision(
  { prisma }: Pick<Database, 'prisma'>,
  pauseId: string,
): Promise<PauseDecision | null> {
  const decision = await prisma.decision.findFirst({ where: { pauseId }, orderBy: { ordinal: 'desc' } });
  return decision === null ? null : pauseDecisionSchema.parse(decision);
}

/** Most pauses that are looked at together. */
const MOST_PAUSES = 100;

/** $1 the moment, $2 how many. */
export const RUNS_WITH_EXPIRED_PAUSE =
  'SELECT id FROM runs WHERE pause_expires_at <= $1 ORDER BY pause_expires_at LIMIT $2';

/** The runs whose pause nobody has answered in its time, longest ago first; at most 100. Costs the same however many runs wait. */
export async function runsWithExpiredPause({ prisma }: Pick<Database, 'prisma'>, now: Date): Promise<string[]> {
  const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(RUNS_WITH_EXPIRED_PAUSE, now, MOST_PAUSES);
  return rows.map(({ id }) => id);
}

const queueRow = z.object({
  status: z.enum(RUN_STATUSES),
  experimentId: z.string(),
  experimentVersion: z.int(),
  /** When a job that failed is tried again; null for others. */
  triedAgainAt: z.date().nullable(),
  /** Jobs that begin before it. */
  ahead: z.int(),
});
export type QueueRow = z.infer<typeof queueRow>;

/** How a run's job stands; null where there is no such run. */
export async function findQueueRow({ prisma }: Pick<Database, 'prisma'>, runId: string): Promise<QueueRow | null> {
  const [row] = await prisma.$queryRawUnsafe<unknown[]>(
    `SELECT r.status, r.experiment_id AS "experimentId", r.experiment_version AS "experimentVersion",
        CASE WHEN j.start_after > now() THEN j.start_after END AS "triedAgainAt",
        (SELECT count(*) FROM pgboss.job a WHERE a.name = 'runs' AND a.state < 'active' AND a.start_after <= now()
          AND (a.created_on, a.id) < (j.created_on, j.id))::int AS ahead
      FROM runs r LEFT JOIN LATERAL (
        SELECT * FROM pgboss.job j WHERE j.name = 'runs' AND j.singleton_key = $1::text AND j.state < 'active' ORDER BY j.start_after LIMIT 1) j ON true
      WHERE r.id = $1::uuid`,
    runId,
  );
  return row === undefined ? null : queueRow.parse(row);
}

const limitRow = z.object({
  provider: z.string(),
  maxConcurrency: z.int().nullable(),
  /** Calls under way, over all processes. */
  held: z.int(),
  nextCallAt: z.date().nullable(),
});
export type ProviderLimitRow = z.infer<typeof limitRow>;

/** How far these providers' limits are used just now, by the database's clock; those without limits are left out. */
export async function findProviderLimits(
  { prisma }: Pick<Database, 'prisma'>,
  providers: string[],
): Promise<ProviderLimitRow[]> {
  const rows = await prisma.$queryRawUnsafe(
    `SELECT p.name AS provider, p.max_concurrency AS "maxConcurrency",
        (SELECT count(*) FROM provider_slots s WHERE s.provider = p.name AND s.holder IS NOT NULL AND s.held_until > now())::int AS held,
        CASE WHEN p.max_requests_per_minute IS NOT NULL AND p.next_call_at > now() THEN p.next_call_at END AS "nextCallAt"
      FROM providers p
      WHERE p.name = ANY ($1::text[]) AND (p.max_concurrency IS NOT NULL OR p.max_requests_per_minute IS NOT NULL) ORDER BY p.name`,
    providers,
  );
  return z.array(limitRow).parse(rows);
}

/** The run of a batch that begins first of those that are queued; null where none is. */
export async function firstQueuedRun({ prisma }: Pick<Database, 'prisma'>, batchId: string): Promise<string | null> {
  const [first] = await prisma.$queryRawUnsafe<{ id: string }[]>(
    `SELECT r.id FROM runs r LEFT JOIN pgboss.job j ON j.name = 'runs' AND j.singleton_key = r.id::text AND j.state < 'active'
     WHERE r.batch_id = $1 AND r.status = 'queued' ORDER BY j.created_on NULLS LAST, j.id, r.position LIMIT 1`,
    batchId,
  );
  return first?.id ?? null;
}
