import type { DatabaseContext } from '#lib/context/app-context.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { tryLock } from '#lib/database/locks.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { DIGEST_FORMAT, digestRun } from '#lib/statistics/digest-run.ts';
import { ENDED_RUN } from './list-runs.ts';
import { loadRun, type StoredRun } from './load-run.ts';
import { type MeasureRecord, measureInsert, searchedOutputs, searchVector } from './result-records.ts';

/** Deletes the measures of a run that continues, because its earlier result no longer counts. */
export async function deleteMeasures(transaction: Transaction, runId: string): Promise<void> {
  await transaction.runMeasure.deleteMany({ where: { runId } });
}

/** Maximum number of searchable characters in the concatenated input and outputs of a run. */
const MAX_SEARCHABLE_CHARACTERS = 200_000;
/** Limit for a text with more different words than an index entry can hold, which PostgreSQL rejects at full length. */
const FEWER_CHARACTERS = 20_000;

// Without a parameter, because a generic plan would not use the partial index.
const UNSEARCHED = 'SELECT run_id AS id FROM run_measures WHERE NOT searched';

/** Returns the IDs of measured runs whose texts are not searchable yet. */
export async function unsearchedRuns({ prisma }: DatabaseClient, limit: number): Promise<string[]> {
  const runs = await prisma.$queryRawUnsafe<{ id: string }[]>(`${UNSEARCHED} LIMIT ${limit}`);
  return runs.map(({ id }) => id);
}

const FILL = `
  UPDATE run_measures m SET searched = true, search = ${searchVector(`left(concat_ws(E'\\n', r.input,
    (SELECT string_agg(v.output, E'\\n' ORDER BY v.number) FROM reflection_versions v WHERE v.run_id = m.run_id)), $2)`)}
  FROM runs r WHERE m.run_id = ANY ($1::uuid[]) AND r.id = m.run_id AND NOT m.searched`;

/**
 * Makes the current inputs and outputs of measured runs searchable by word, and returns their number. Locked runs are skipped until later.
 */
async function fillSearch(database: Database, runIds: string[]): Promise<number> {
  // Locks the rows before reading, so that the texts include all earlier changes. Skips locked rows, so it never waits while holding locks.
  const fill = (ids: string[], characters: number) =>
    inTransaction(database, async (transaction) => {
      const rows = await transaction.$queryRawUnsafe<{ id: string }[]>(
        'SELECT run_id AS id FROM run_measures WHERE run_id = ANY ($1::uuid[]) FOR UPDATE SKIP LOCKED',
        ids,
      );
      const locked = rows.map(({ id }) => id);
      if (locked.length > 0) await transaction.$executeRawUnsafe(FILL, locked, characters);
      return locked.length;
    });
  try {
    return await fill(runIds, MAX_SEARCHABLE_CHARACTERS);
  } catch (error) {
    if (!isTooLong(error)) throw error;
    if (runIds.length === 1) return fill(runIds, FEWER_CHARACTERS);
    let filled = 0;
    for (const runId of runIds) filled += await fillSearch(database, [runId]);
    return filled;
  }
}

/** Returns true if PostgreSQL rejected a text that has more than 1 MB of different words. */
function isTooLong(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && /\b54000\b/.test(error.message);
}

// Materialized before sorting. A lookup in sort order would scan hundreds of thousands of measured runs.
const MISSING = `
  WITH missing AS MATERIALIZED (
    SELECT r.id, r.number, r.experiment_id, r.experiment_version FROM runs r
    WHERE r.number > $2 AND ${ENDED_RUN} AND NOT EXISTS (SELECT 1 FROM run_measures m WHERE m.run_id = r.id AND m.format >= $1))
  SELECT r.id, r.number FROM missing r
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version AND s.settings->>'mode' <> 'tune'
  ORDER BY r.number LIMIT $3`;

/** Returns ended runs after number `after` whose measures are missing or have an older format, ordered by number. */
async function unmeasuredRuns(
  { prisma }: DatabaseClient,
  after: number,
  limit: number,
): Promise<{ id: string; number: number }[]> {
  return prisma.$queryRawUnsafe(MISSING, DIGEST_FORMAT, after, limit);
}

/** Returns the number of the newest run, or 0 if there is none. */
export async function newestRunNumber({ prisma }: { prisma: Transaction }): Promise<number> {
  const newest = await prisma.run.findFirst({ orderBy: { number: 'desc' }, select: { number: true } });
  return newest?.number ?? 0;
}

// The last event number acts as a fence: measures of a history that has changed since are not stored.
const INSERT_MEASURES = `
  WITH ended AS (
    SELECT id, experiment_id, experiment_version, input, 0 AS place FROM runs
    WHERE id = $1 AND event_number = $2 AND status IN ('finished', 'failed', 'stopped') FOR SHARE)
  ${measureInsert('ended', '$3')}`;

/** Stores the measures of an ended run, unless it has changed since it was read. Returns true if they were stored. */
async function saveMeasures({ prisma }: Database, { run, history, settings }: StoredRun): Promise<boolean> {
  const record: MeasureRecord = {
    ...digestRun(history, settings, run),
    endedAt: run.finishedAt ?? run.createdAt,
    outputs: searchedOutputs(history, settings),
  };
  const records = storableJson([{ ...record, place: 0 }]);
  return (await prisma.$executeRawUnsafe(INSERT_MEASURES, run.id, run.eventNumber, records)) === 1;
}

/** Number of texts made searchable in one transaction. */
const PORTION = 20;
/** Number of unmeasured runs fetched per query. Each query scans all runs. */
const RUNS_PORTION = 1_000;

/**
 * Computes missing or outdated measures of ended runs, for example of imported runs and runs of an older Hone version. Returns the number
 * computed. Skips runs up to number `from`.
 */
export async function measureRuns({ database }: DatabaseContext, signal: AbortSignal, from = -1): Promise<number> {
  let made = 0;
  let after = from;
  for (;;) {
    const portion = await unmeasuredRuns(database, after, RUNS_PORTION);
    for (const { id, number } of portion) {
      if (signal.aborted) return made;
      after = number;
      const stored = await loadRun(database, id);
      if (stored !== null && (await saveMeasures(database, stored))) made++;
    }
    if (portion.length < RUNS_PORTION) return made;
  }
}

/** Makes the remaining texts of measured runs searchable. */
export async function makeSearchable({ database }: DatabaseContext, signal: AbortSignal): Promise<void> {
  for (;;) {
    const portion = await unsearchedRuns(database, PORTION);
    const filled = portion.length === 0 ? 0 : await fillSearch(database, portion);
    if (filled === 0 || portion.length < PORTION || signal.aborted) return;
  }
}

/** The amounts shown in lists of experiments. */
export const SHOWN_AMOUNTS = [
  'runs',
  'ended',
  'unscored',
  'solved',
  'waiting',
  'under_way',
  'judged',
  'unscorable',
  'ever_satisfactory',
  'first_satisfactory',
  'first_scored',
  'best_scored',
  'unpriced',
  'first_scores',
  'best_scores',
  'cost_usd',
  'gain',
] as const;

/** The amounts of the function `run_amounts` and of `run_totals`. */
export const RUN_AMOUNTS: readonly string[] = [
  ...SHOWN_AMOUNTS,
  'own_runs',
  'measured',
  'measured_solved',
  'measured_unpriced',
  'evaluations',
  'unscored_evaluations',
  'final_better_of',
  'final_better_met',
  'scored_runs',
  'solved_within_2',
  'solved_within_3',
  'ended_by_rule_of',
  'ended_by_rule_met',
  ...['issues', 'corrected', 'introduced', 'repeats'].flatMap((share) =>
    ['met', 'of', 'clusters', 'met_met', 'met_of', 'of_of'].map((part) => `${share}_${part}`),
  ),
  'gained',
  'measured_cost_usd',
];

/**
 * Returns SQL for the amounts of an experiment's runs, as rows to sum. There are few rows for each settings version, plus one for each run
 * that changed recently or is in progress. The number of ended runs does not matter. `experiment` is an SQL expression for its ID.
 */
export function totalsOf(experiment: string, amounts: readonly string[]): string {
  const columns = amounts.join(', ');
  return `(SELECT experiment_version, ${columns} FROM run_totals WHERE experiment_id = ${experiment}
    UNION ALL SELECT each_run.experiment_version, ${amounts.map((amount) => `each_run.${amount}`).join(', ')}
    FROM uncounted_runs JOIN run_amounts() each_run USING (run_id) WHERE uncounted_runs.experiment_id = ${experiment})`;
}

/** Number of runs counted in one transaction. */
export const COUNTED_AT_ONCE = 1_000;

/**
 * SQL: true if a run is unlikely to change soon. It has ended, or has waited for a person for more than a minute, longer than a webhook or
 * code takes.
 */
const SETTLED = `(r.status IN ('finished', 'failed', 'stopped') OR (r.status = 'waiting' AND (r.pause->>'since')::timestamptz < $1::timestamptz - interval '1 minute'))`;

const PICK = `
  SELECT u.run_id AS id FROM uncounted_runs u JOIN runs r ON r.id = u.run_id WHERE ${SETTLED}
  LIMIT ${COUNTED_AT_ONCE} FOR UPDATE OF u SKIP LOCKED`;

// Reads after the rows were locked. A concurrent change of such a run waits, and then removes it from the totals again.
const COUNT = `
  WITH settled AS (SELECT r.id FROM runs r WHERE r.id = ANY ($2::uuid[]) AND ${SETTLED}),
  counted AS (DELETE FROM uncounted_runs WHERE run_id IN (SELECT id FROM settled))
  INSERT INTO run_totals (experiment_id, experiment_version, ${RUN_AMOUNTS.join(', ')})
  SELECT experiment_id, experiment_version, ${RUN_AMOUNTS.map((amount) => `sum(${amount})`).join(', ')}
  FROM run_amounts() WHERE run_id IN (SELECT id FROM settled) GROUP BY experiment_id, experiment_version`;

const MERGE = `
  WITH repeated AS (
    SELECT experiment_id, experiment_version FROM run_totals GROUP BY 1, 2 HAVING count(*) > 1
    UNION SELECT t.experiment_id, t.experiment_version FROM run_totals t WHERE NOT EXISTS (SELECT FROM experiments x WHERE x.id = t.experiment_id)),
  taken AS (DELETE FROM run_totals t USING repeated p
    WHERE t.experiment_id = p.experiment_id AND t.experiment_version = p.experiment_version RETURNING t.*)
  INSERT INTO run_totals (experiment_id, experiment_version, ${RUN_AMOUNTS.join(', ')})
  SELECT experiment_id, experiment_version, ${RUN_AMOUNTS.map((amount) => `sum(${amount})`).join(', ')}
  FROM taken WHERE EXISTS (SELECT FROM experiments x WHERE x.id = taken.experiment_id) GROUP BY experiment_id, experiment_version`;

/**
 * Adds settled runs to the totals of their versions, and merges rows that changes have left there. Returns the number of counted runs. The
 * totals plus the uncounted runs are always correct, so this only keeps reads cheap.
 */
export async function countSettledRuns(database: Database, now: Date): Promise<number> {
  const count = async (transaction: Transaction) => {
    const picked = await transaction.$queryRawUnsafe<{ id: string }[]>(PICK, now);
    const ids = picked.map(({ id }) => id);
    if (ids.length > 0) await transaction.$executeRawUnsafe(COUNT, now, ids);
    await transaction.$executeRawUnsafe(MERGE);
    return ids.length;
  };
  return (await tryLock(database, 'runTotals', () => inTransaction(database, count))) ?? 0;
}
