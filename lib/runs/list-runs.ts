import { z } from 'zod';
import { DECIDERS } from '#lib/core/history.ts';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import { STOP_REASONS, type StopReason } from '#lib/core/stop-reasons.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText, type Page, pageOf, prefixQuery, unorderedQuery } from '#lib/database/query-values.ts';
import { IMPORTED_PROVIDER } from '#lib/models/imported-runs.ts';
import { type CountedShare, summedShare } from '#lib/statistics/shares.ts';

/**
 * Scores by version of run `r` up to the last evaluated one, the person's where there is one, null where unscored or passed over
 * unevaluated; a JSON list.
 */
export const SCORES_OF_RUN = `(
  WITH s AS (
    SELECT DISTINCT ON (e.version) e.version, CASE WHEN e.status = 'scored' THEN e.overall_score END AS score
    FROM evaluations e WHERE e.run_id = r.id ORDER BY e.version, (e.by = 'person') DESC, e.ordinal DESC)
  SELECT coalesce(json_agg(s.score ORDER BY v.number), '[]')
  FROM generate_series(0, (SELECT max(version) FROM s)) AS v(number) LEFT JOIN s ON s.version = v.number)`;

/** Who ended run `r` by an accept or a stop; null where its rules did. */
const ENDED_BY = `CASE WHEN r.convergence_reason IN ('user_accepted', 'user_stopped') THEN (
  SELECT json_build_object('by', d.by, 'actor', d.actor) FROM decisions d
  WHERE d.run_id = r.id AND d.by <> 'policy' AND d.decision IN ('accept', 'stop') ORDER BY d.ordinal DESC LIMIT 1) END`;

/** Whether another system made run `r`. */
const IMPORTED = `(SELECT v.settings -> 'generator' ->> 'provider' = '${IMPORTED_PROVIDER}' FROM experiment_versions v
  WHERE v.experiment_id = r.experiment_id AND v.version = r.experiment_version)`;

/** Columns of a run in a list; `r` = runs, `x` = experiments. */
const RUN_COLUMNS = `r.id, r.number, r.experiment_id AS "experimentId", x.name AS "experimentName", left(r.input, 200) AS input, r.status,
  r.convergence_reason AS "convergenceReason", r.success, r.iterations_used AS "iterationsUsed", r.version_count AS "versionCount",
  r.first_score AS "firstScore", r.best_score AS "bestScore", r.input_tokens AS "inputTokens", r.output_tokens AS "outputTokens",
  r.cost_usd AS "costUsd", r.unpriced, r.created_at AS "createdAt", r.finished_at AS "finishedAt", ${SCORES_OF_RUN} AS scores, ${ENDED_BY} AS "endedBy", ${IMPORTED} AS imported,
  (SELECT count(*)::int FROM lessons l WHERE l.run_id = r.id) AS "lessonCount"`;

const date = z.date().transform((value) => value.toISOString());

const runListRow = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  status: z.enum(RUN_STATUSES),
  convergenceReason: z.enum(STOP_REASONS).nullable(),
  endedBy: z.object({ by: z.enum(DECIDERS), actor: z.string().nullable() }).nullable(),
  imported: z.boolean(),
  success: z.boolean(),
  iterationsUsed: z.int(),
  versionCount: z.int(),
  firstScore: z.number().nullable(),
  bestScore: z.number().nullable(),
  scores: z.array(z.number().nullable()),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  unpriced: z.boolean(),
  lessonCount: z.int(),
  createdAt: date,
  finishedAt: date.nullable(),
});
/** A run in a list. */
export type RunRow = z.infer<typeof runListRow>;

type RunFilter = {
  experimentId?: string | null;
  /** Of the experiment's settings. */
  version?: number | null;
  batchId?: string | null;
  status?: RunStatus | null;
  /** Of the finished runs: those that succeeded, or those that did not. */
  success?: boolean | null;
  /** Why they ended. */
  reason?: StopReason | null;
  /** The number of a run, or beginnings of words that its input, and once it ended its outputs, hold all of. */
  text?: string | null;
  /** Created then or later. */
  since?: Date | null;
  cursor: string | null;
  limit: number;
};

/** Runs, newest first. The cursor is a run's number. */
export async function listRuns(database: Database, filter: RunFilter): Promise<Page<RunRow>> {
  const before = filter.cursor !== null && /^\d{1,9}$/.test(filter.cursor) ? Number(filter.cursor) : null;
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: string, value: unknown) => {
    if (value === null || value === undefined) return;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  where('r.experiment_id = ?', filter.experimentId);
  where('r.experiment_version = ?', filter.version);
  where('r.batch_id = ?', filter.batchId);
  where('r.status = ?', filter.status);
  where("r.status = 'finished' AND r.success = ?", filter.success);
  where('r.convergence_reason = ?', filter.reason);
  where('r.number < ?', before);
  where('r.created_at >= ?', filter.since);
  const text = cleanText(filter.text?.trim() ?? '');
  if (text !== '') {
    values.push(prefixQuery(text), Number(/^#?(\d{1,9})$/.exec(text)?.[1] ?? 0));
    conditions.push(`r.id IN (${runsWithText(values.length - 1, values.length)})`);
  }
  const rows = await readRunRows(database, conditions.join(' AND '), values, filter.limit + 1);
  return pageOf(rows, filter.limit, ({ number }) => String(number));
}

/** Runs as lists show them, newest first. `where`: a condition over `r` = runs, empty for all; `values` are its parameters. */
export async function readRunRows(
  { prisma }: Pick<Database, 'prisma'>,
  where: string,
  values: readonly unknown[],
  limit: number | null = null,
): Promise<RunRow[]> {
  const rows = await prisma.$queryRawUnsafe(
    `SELECT ${RUN_COLUMNS} FROM runs r JOIN experiments x ON x.id = r.experiment_id
     ${where === '' ? '' : `WHERE ${where}`} ORDER BY r.number DESC ${limit === null ? '' : `LIMIT ${limit}`}`,
    ...values,
  );
  return z.array(runListRow).parse(rows);
}

/** Ended runs are found by what was made searchable of them, those under way by their input, any by its number. */
function runsWithText(query: number, number: number): string {
  return `SELECT run_id FROM run_measures WHERE search @@ ${unorderedQuery(`$${query}`)}
    UNION ALL SELECT id FROM runs WHERE status IN ('queued', 'running', 'waiting')
      AND to_tsvector('simple', left(input, 1000)) @@ to_tsquery('simple', $${query})
    UNION ALL SELECT id FROM runs WHERE number = $${number}::int`;
}

/** Runs that were not begun with the text of another run. */
export const OWN_RUN = 'r.branched_from_version IS NULL';
/** Runs of which anything was scored: the others say neither that a case was solved nor that it was not. */
export const SCORED_RUN = 'r.best_score IS NOT NULL';
/** Runs that say whether their case was solved: by a score, or by a person who accepted what was not scored. */
export const TELLING_RUN = `(${SCORED_RUN} OR r.success)`;
export const ENDED_RUN = `r.status IN ('finished', 'failed', 'stopped')`;
export const UNFINISHED_RUN = `r.status IN ('queued', 'running', 'waiting')`;

/** Of the arm that is version `v` of experiment `x`: another text once any of its ended runs has changed. Read from one index alone. */
export const ARM_STAMP = `SELECT concat_ws(' ', count(*), sum(m.revision), bit_xor(m.revision)) FROM run_measures m
  WHERE m.experiment_id = x.id AND m.experiment_version = v.version`;

/**
 * What the runs of one version of an experiment's settings came to. `solved`: of those that ended, how many had a satisfactory version; runs
 * of which nothing was scored are left out.
 */
type VersionOutcome = { version: number; runs: number; solved: CountedShare };

/** Runs of one case are alike, so each case is counted by itself first. */
const OUTCOMES = `
  WITH cases AS (
    SELECT experiment_version, case_key, count(*)::int AS runs, count(*) FILTER (WHERE c.counts)::int AS o,
      count(*) FILTER (WHERE c.counts AND strpos(satisfied, '1') > 0)::int AS m
    FROM runs r CROSS JOIN LATERAL (SELECT r.finished_at IS NOT NULL AND ${SCORED_RUN} AS counts) c
    WHERE experiment_id = $1 AND branched_from_version IS NULL GROUP BY 1, 2)
  SELECT experiment_version AS version, sum(runs)::int AS runs, json_build_object('met', sum(m), 'of', sum(o),
    'clusters', count(*) FILTER (WHERE o > 0), 'metMet', sum(m * m), 'metOf', sum(m * o), 'ofOf', sum(o * o)) AS sums
  FROM cases GROUP BY 1`;

const count = z.int().min(0);
const outcomeRow = z.object({
  version: count,
  runs: count,
  sums: z.object({ met: count, of: count, clusters: count, metMet: count, metOf: count, ofOf: count }),
});

/** What the runs of each version came to, branches left out; versions that were not run are missing. */
export async function listVersionOutcomes(database: Database, experimentId: string): Promise<VersionOutcome[]> {
  const rows = await database.prisma.$queryRawUnsafe<unknown[]>(OUTCOMES, experimentId);
  return rows.map((found) => {
    const { version, runs, sums } = outcomeRow.parse(found);
    return { version, runs, solved: summedShare(sums) };
  });
}

/** The newest sample experiment with `name` in its name and its newest finished run, if it has one; null where there is no such experiment. */
export async function findSampleRun(
  { prisma }: Pick<Database, 'prisma'>,
  name: string,
): Promise<{ experimentId: string; runId: string | null } | null> {
  const newestRun = {
    where: { status: 'finished' },
    select: { id: true },
    orderBy: { number: 'desc' },
    take: 1,
  } as const;
  const experiment = await prisma.experiment.findFirst({
    where: { sample: true, name: { contains: name, mode: 'insensitive' } },
    select: { id: true, runs: newestRun },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return experiment === null ? null : { experimentId: experiment.id, runId: experiment.runs[0]?.id ?? null };
}
