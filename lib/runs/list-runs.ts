import { z } from 'zod';
import { bestVersion } from '#lib/core/best-version.ts';
import { DECIDERS } from '#lib/core/history.ts';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import { STOP_REASONS, type StopReason } from '#lib/core/stop-reasons.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import {
  cleanText,
  EFFECTIVE_FIRST,
  type Page,
  pageOf,
  prefixQuery,
  unorderedQuery,
  withIsoTimes,
} from '#lib/database/query-values.ts';
import { count, id, scores, time } from '#lib/http/fields.ts';
import { IMPORTED_PROVIDER } from '#lib/models/imported-runs.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import { type CountedShare, summedShare } from '#lib/statistics/shares.ts';
import { madeVersions, tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { loadRun } from './load-run.ts';
import { CURRENT_RATE_LIMIT } from './queries.ts';
import { type CurrentRateLimit, currentRateLimitSchema } from './schema.ts';

/**
 * SQL: scores by version of run `r` up to the last evaluated one, as a JSON list. A person's score takes precedence. Null for a version
 * that is unscored or was skipped without an evaluation. Once there are evaluations on a redrawn validation set, earlier ones do not count.
 */
export const SCORES_OF_RUN = `(
  WITH present AS (
    SELECT e.run_id, e.version, e.ordinal, e.by, e.status, e.overall_score, e.created_at,
      e.step > (r.redraw ->> 'step')::int AS is_since, bool_or(e.step > (r.redraw ->> 'step')::int) OVER () AS any_since
    FROM evaluations e WHERE e.run_id = r.id),
  s AS (
    SELECT DISTINCT ON (e.version) e.version, CASE WHEN e.status = 'scored' THEN e.overall_score END AS score
    FROM present e WHERE e.is_since OR e.any_since IS NOT TRUE ORDER BY e.version, ${EFFECTIVE_FIRST})
  SELECT coalesce(json_agg(s.score ORDER BY v.number), '[]')
  FROM generate_series(0, (SELECT max(version) FROM s)) AS v(number) LEFT JOIN s ON s.version = v.number)`;

/** SQL: the decider who ended run `r` by an accept or a stop. Null if its rules did. */
const ENDED_BY = `CASE WHEN r.convergence_reason IN ('user_accepted', 'user_stopped') THEN (
  SELECT json_build_object('by', d.by, 'actor', d.actor) FROM decisions d
  WHERE d.run_id = r.id AND d.by <> 'policy' AND d.decision IN ('accept', 'stop') ORDER BY d.ordinal DESC LIMIT 1) END`;

/** SQL condition: run `r` was imported from another system. */
const IMPORTED = `(SELECT v.settings -> 'generator' ->> 'provider' = '${IMPORTED_PROVIDER}' FROM experiment_versions v
  WHERE v.experiment_id = r.experiment_id AND v.version = r.experiment_version)`;

/** Columns of a run in a list; `r` = runs, `x` = experiments. */
const RUN_COLUMNS = `r.id, r.number, r.experiment_id AS "experimentId", x.name AS "experimentName", left(r.input, 200) AS input, r.status,
  r.convergence_reason AS "convergenceReason", r.success, r.iterations_used AS "iterationsUsed", r.version_count AS "versionCount",
  r.first_score AS "firstScore", r.best_score AS "bestScore", r.input_tokens AS "inputTokens", r.output_tokens AS "outputTokens",
  r.cost_usd AS "costUsd", r.unpriced, r.created_at AS "createdAt", r.finished_at AS "finishedAt", ${SCORES_OF_RUN} AS scores, ${ENDED_BY} AS "endedBy", ${IMPORTED} AS imported, ${CURRENT_RATE_LIMIT} AS "rateLimit",
  (SELECT count(*)::int FROM lessons l WHERE l.run_id = r.id) AS "lessonCount"`;

/** A run in a list. */
export const runListItemSchema = z.object({
  id,
  number: count,
  experimentId: id,
  experimentName: z.string(),
  input: z.string().meta({ description: 'Its first 200 characters.' }),
  status: z.enum(RUN_STATUSES),
  rateLimit: currentRateLimitSchema
    .nullable()
    .meta({ description: 'The rate limit of a provider that the run waits for, and when it continues.' }),
  convergenceReason: z.string().nullable(),
  endedBy: z
    .object({ by: z.enum(DECIDERS), actor: z.string().nullable() })
    .nullable()
    .meta({ description: 'Who accepted or stopped the run. Null if its stop rules ended it.' }),
  imported: z.boolean().meta({ description: 'True if another system made the run and Hone imported it.' }),
  success: z.boolean(),
  iterationsUsed: count,
  versionCount: count,
  firstScore: z.number().nullable(),
  bestScore: z.number().nullable(),
  scores,
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number(),
  unpriced: z.boolean(),
  lessonCount: count,
  createdAt: time,
  finishedAt: time.nullable(),
});
const runRow = runListItemSchema.extend({ convergenceReason: z.enum(STOP_REASONS).nullable() });
export type RunRow = z.infer<typeof runRow>;

type RunFilter = {
  experimentId?: string | null;
  /** Version of the experiment's settings. */
  version?: number | null;
  batchId?: string | null;
  status?: RunStatus | null;
  /** True for finished runs that succeeded, false for those that did not. */
  success?: boolean | null;
  reason?: StopReason | null;
  /** A run number, or word prefixes that must all occur in the run's input or, once it has ended, its outputs. */
  text?: string | null;
  /** Earliest creation time. */
  since?: Date | null;
  cursor: string | null;
  limit: number;
};

/** Returns runs, newest first. The cursor is a run number. */
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

/** Returns runs as listed, newest first. `where` is a condition over `r` = runs, empty for all. `values` are its parameters. */
export async function readRunRows(
  { prisma }: DatabaseClient,
  where: string,
  values: readonly unknown[],
  limit: number | null = null,
): Promise<RunRow[]> {
  const rows = await prisma.$queryRawUnsafe<object[]>(
    `SELECT ${RUN_COLUMNS} FROM runs r JOIN experiments x ON x.id = r.experiment_id
     ${where === '' ? '' : `WHERE ${where}`} ORDER BY r.number DESC ${limit === null ? '' : `LIMIT ${limit}`}`,
    ...values,
  );
  return z.array(runRow).parse(rows.map(withIsoTimes));
}

/** The scores of a run in the chart of a batch. Runs of one case have the same `caseKey`. */
export type DrawnRun = Pick<RunRow, 'id' | 'scores' | 'status' | 'success'> & { caseKey: string };

/** Returns the trajectories of listed runs. Leaves out branches of other runs, unless there are only branches, like the batch report. */
export async function listTrajectories(
  { prisma }: Pick<Database, 'prisma'>,
  runs: readonly RunRow[],
): Promise<DrawnRun[]> {
  const found = await prisma.run.findMany({
    where: { id: { in: runs.map(({ id }) => id) } },
    select: { id: true, caseKey: true, criteria: true, branchedVersion: true },
  });
  const casesById = new Map(found.map((run) => [run.id, run]));
  const trajectories = runs.map(({ id, scores, status, success }) => {
    const { caseKey = id, criteria = null, branchedVersion = null } = casesById.get(id) ?? {};
    return {
      id,
      scores,
      status,
      success,
      caseKey: JSON.stringify([caseKey, criteria]),
      isBranch: branchedVersion !== null,
    };
  });
  const originals = trajectories.filter(({ isBranch }) => !isBranch);
  return (originals.length > 0 ? originals : trajectories).map(({ isBranch: _isBranch, ...run }) => run);
}

/** Matches ended runs by their search vector, unfinished ones by their input and any run by its number. */
function runsWithText(query: number, number: number): string {
  return `SELECT run_id FROM run_measures WHERE search @@ ${unorderedQuery(`$${query}`)}
    UNION ALL SELECT id FROM runs WHERE status IN ('queued', 'running', 'waiting')
      AND to_tsvector('simple', left(input, 1000)) @@ to_tsquery('simple', $${query})
    UNION ALL SELECT id FROM runs WHERE number = $${number}::int`;
}

/** Runs that did not start with the text of another run. */
export const OWN_RUN = 'r.branched_from_version IS NULL';
/** Runs with at least one score. The others show neither that a case was solved nor that it was not. */
export const SCORED_RUN = 'r.best_score IS NOT NULL';
/** Runs that show if their case was solved, by a score or because a person accepted an unscored version. */
export const HAS_KNOWN_OUTCOME = `(${SCORED_RUN} OR r.success)`;
export const ENDED_RUN = `r.status IN ('finished', 'failed', 'stopped')`;
export const UNFINISHED_RUN = `r.status IN ('queued', 'running', 'waiting')`;

/**
 * SQL: a stamp of the arm with version `v` of experiment `x`, which changes whenever one of its ended runs changes. Uses an index-only
 * scan.
 */
export const ARM_STAMP = `SELECT concat_ws(' ', count(*), sum(m.revision), bit_xor(m.revision)) FROM run_measures m
  WHERE m.experiment_id = x.id AND m.experiment_version = v.version`;

/**
 * Results of the runs of one settings version. `solved`: share of ended runs with a satisfactory version. Runs without a score are left
 * out.
 */
type VersionOutcome = { version: number; runs: number; solved: CountedShare };

/** Runs of one case are correlated, so each case is counted separately first. */
const OUTCOMES = `
  WITH cases AS (
    SELECT experiment_version, case_key, count(*)::int AS runs, count(*) FILTER (WHERE c.counts)::int AS o,
      count(*) FILTER (WHERE c.counts AND strpos(satisfied, '1') > 0)::int AS m
    FROM runs r CROSS JOIN LATERAL (SELECT r.finished_at IS NOT NULL AND ${SCORED_RUN} AS counts) c
    WHERE experiment_id = $1 AND branched_from_version IS NULL GROUP BY 1, 2)
  SELECT experiment_version AS version, sum(runs)::int AS runs, json_build_object('met', sum(m), 'of', sum(o),
    'clusters', count(*) FILTER (WHERE o > 0), 'metMet', sum(m * m), 'metOf', sum(m * o), 'ofOf', sum(o * o)) AS sums
  FROM cases GROUP BY 1`;

const outcomeRow = z.object({
  version: count,
  runs: count,
  sums: z.object({ met: count, of: count, clusters: count, metMet: count, metOf: count, ofOf: count }),
});

/** Returns the results of the runs of each settings version, without branches. Versions without runs are missing. */
export async function listVersionOutcomes(database: Database, experimentId: string): Promise<VersionOutcome[]> {
  const rows = await database.prisma.$queryRawUnsafe<unknown[]>(OUTCOMES, experimentId);
  return rows.map((found) => {
    const { version, runs, sums } = outcomeRow.parse(found);
    return { version, runs, solved: summedShare(sums) };
  });
}

/**
 * Returns the newest sample experiment with `name` in its name, and its newest finished run if any. Null if there is no such experiment.
 */
export async function findSampleRun(
  { prisma }: DatabaseClient,
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

/** Scores of one prompt of a tuning run. Null if it was not run on every case of that kind. */
export type TunedPrompt = { version: number; chosenBy: MeanInterval | null; heldOut: MeanInterval | null };

/** Summary of a tuning run: its initial prompt and the one it would return. */
export type TunedRun = {
  id: string;
  number: number;
  status: RunStatus;
  success: boolean;
  /** The rate limit that the run waits for. */
  rateLimit: CurrentRateLimit | null;
  convergenceReason: StopReason | null;
  /** Number of prompts the run made. `accepted` is the number of those that were accepted. */
  made: number;
  accepted: number;
  calls: number;
  first: TunedPrompt | null;
  best: TunedPrompt | null;
};

/** Returns the newest tuning runs of an experiment, at most `limit`. */
export async function listTuningRuns(database: Database, experimentId: string, limit: number): Promise<TunedRun[]> {
  const { items } = await listRuns(database, { experimentId, cursor: null, limit });
  const rows = await Promise.all(items.map(({ id, rateLimit }) => readRow(database, id, rateLimit)));
  return rows.filter((row) => row !== null);
}

async function readRow(database: Database, id: string, rateLimit: CurrentRateLimit | null): Promise<TunedRun | null> {
  const stored = await loadRun(database, id, 'scores');
  if (stored === null || stored.settings.mode !== 'tune') return null;
  const { run, history, settings } = stored;
  const summary = tuningSummary(history, settings);
  const best = run.finalVersion ?? bestVersion(history, settings.bestVersion);
  const promptOf = (number: number | null): TunedPrompt | null => {
    const version = summary.versions.find((candidate) => candidate.number === number);
    return version === undefined
      ? null
      : { version: version.number, chosenBy: version.chosenBy, heldOut: version.heldOut };
  };
  return {
    id,
    number: run.number,
    status: run.status,
    success: run.success,
    rateLimit,
    convergenceReason: run.convergenceReason,
    made: madeVersions(summary).length,
    accepted: summary.accepted,
    calls: summary.calls,
    first: promptOf(0),
    best: promptOf(best),
  };
}
