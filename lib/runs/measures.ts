import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { DIGEST_FORMAT, digestRun, type RunDigest } from '#lib/statistics/digest-run.ts';
import { ENDED_RUN } from './list-runs.ts';
import { loadRun, type StoredRun } from './load-run.ts';

/** The columns of `run_measures` that a digest fills, with the member that fills each and its type. */
const COLUMNS = [
  ['format', 'format', 'int'],
  ['scores', 'scores', 'jsonb'],
  ['scored_versions', 'scoredVersions', 'int'],
  ['first_score', 'firstScore', 'float8'],
  ['best_score', 'bestScore', 'float8'],
  ['last_score', 'lastScore', 'float8'],
  ['solved_at', 'solvedAt', 'int'],
  ['last_satisfactory', 'lastSatisfactory', 'boolean'],
  ['evaluations', 'evaluations', 'int'],
  ['unscored', 'unscored', 'int'],
  ['issues_named', 'issuesNamed', 'int'],
  ['issues_resolved', 'issuesResolved', 'int'],
  ['checks_failing', 'checksFailing', 'int'],
  ['checks_corrected', 'checksCorrected', 'int'],
  ['checks_passing', 'checksPassing', 'int'],
  ['checks_introduced', 'checksIntroduced', 'int'],
  ['retries_after_fail', 'retriesAfterFail', 'int'],
  ['repeated_answers', 'repeatedAnswers', 'int'],
  ['judged', 'judged', 'jsonb'],
] as const satisfies readonly (readonly [string, keyof RunDigest, string])[];

/** What one run comes to and when it ended (ISO 8601); `place` says which of the runs that are kept together it is. */
export type MeasureRecord = RunDigest & { endedAt: string; place: number };

/** What `revision` is set to by each write of a run that has ended. */
export const NEW_REVISION = 'pg_current_xact_id()::text::bigint';

/**
 * How such records get into their table: `runs` names what has an `id`, `experiment_id`, `experiment_version` and `place` for each, `list` is
 * the parameter that holds them as a JSON list. One that is there is written anew, and its texts are read again.
 */
export function measureInsert(runs: string, list: string): string {
  const names = COLUMNS.map(([column]) => column).join(', ');
  return `INSERT INTO run_measures (run_id, experiment_id, experiment_version, ended_at, revision, ${names})
    SELECT f.id, f.experiment_id, f.experiment_version, v."endedAt", ${NEW_REVISION}, ${COLUMNS.map(([, member]) => `v."${member}"`).join(', ')}
    FROM ${runs} f JOIN json_to_recordset(${list}::json) AS v(place int, "endedAt" timestamptz, ${COLUMNS.map(([, member, type]) => `"${member}" ${type}`).join(', ')}) USING (place)
    ON CONFLICT (run_id) DO UPDATE SET searched = false, ended_at = excluded.ended_at, revision = excluded.revision,
      ${COLUMNS.map(([column]) => `${column} = excluded.${column}`).join(', ')}`;
}

/** Of a run that goes on: what it came to when it had ended no longer counts. */
export async function forgetMeasures(transaction: Transaction, runId: string): Promise<void> {
  await transaction.runMeasure.deleteMany({ where: { runId } });
}

/** How much of a run's input and outputs, one after another, can be found by its words, in characters. */
const MOST_CHARACTERS = 200_000;
/** Of a text with more different words than an index entry holds: what PostgreSQL refuses at the full length. */
const FEWER_CHARACTERS = 20_000;

/** Measured runs whose texts are not searchable yet. */
async function unsearchedRuns({ prisma }: Database, limit: number): Promise<string[]> {
  const runs = await prisma.runMeasure.findMany({ where: { searched: false }, select: { runId: true }, take: limit });
  return runs.map(({ runId }) => runId);
}

const FILL = `
  UPDATE run_measures m SET searched = true, search = to_tsvector('simple', left(concat_ws(E'\\n', r.input,
    (SELECT string_agg(v.output, E'\\n' ORDER BY v.number) FROM reflection_versions v WHERE v.run_id = m.run_id)), $2))
  FROM runs r WHERE m.run_id = ANY ($1::uuid[]) AND r.id = m.run_id AND NOT m.searched`;

/**
 * Makes the inputs and the outputs of measured runs searchable by their words, as they stand, and answers of how many. Those that are being
 * changed are left for later.
 */
async function fillSearch(database: Database, runIds: string[]): Promise<number> {
  // Locked first: what is read after that holds what was changed until then. It waits for nobody while it holds some.
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
    return await fill(runIds, MOST_CHARACTERS);
  } catch (error) {
    if (!isTooLong(error)) throw error;
    if (runIds.length === 1) return fill(runIds, FEWER_CHARACTERS);
    let filled = 0;
    for (const runId of runIds) filled += await fillSearch(database, [runId]);
    return filled;
  }
}

/** What PostgreSQL says of a text that gives more than 1 MB of different words. */
function isTooLong(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && /\b54000\b/.test(error.message);
}

// Gathered before they are put in order: looked up one by one in that order, hundreds of thousands that are measured would be passed over.
const MISSING = `
  WITH missing AS MATERIALIZED (
    SELECT r.id, r.number, r.experiment_id, r.experiment_version FROM runs r
    WHERE r.number > $2 AND ${ENDED_RUN} AND NOT EXISTS (SELECT 1 FROM run_measures m WHERE m.run_id = r.id AND m.format >= $1))
  SELECT r.id, r.number FROM missing r
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version AND s.settings->>'mode' <> 'tune'
  ORDER BY r.number LIMIT $3`;

/** Ended runs after the one with the number `after` whose measures are missing or of an older format, in the order of their numbers. */
async function unmeasuredRuns(
  { prisma }: Pick<Database, 'prisma'>,
  after: number,
  limit: number,
): Promise<{ id: string; number: number }[]> {
  return prisma.$queryRawUnsafe(MISSING, DIGEST_FORMAT, after, limit);
}

/** The number of the newest run; 0 where there is none. */
export async function newestRunNumber({ prisma }: Pick<Database, 'prisma'>): Promise<number> {
  const newest = await prisma.run.findFirst({ orderBy: { number: 'desc' }, select: { number: true } });
  return newest?.number ?? 0;
}

// The number of the last event fences it: what was worked out of a history that has changed since is not kept.
const KEEP = `
  WITH ended AS (
    SELECT id, experiment_id, experiment_version, 0 AS place FROM runs
    WHERE id = $1 AND event_number = $2 AND status IN ('finished', 'failed', 'stopped') FOR SHARE)
  ${measureInsert('ended', '$3')}`;

/** Keeps the measures of an ended run that was read before, unless it has changed since. Answers whether it did. */
async function saveMeasures(
  { prisma }: Database,
  { run }: Pick<StoredRun, 'run'>,
  digest: RunDigest,
): Promise<boolean> {
  const record: MeasureRecord = { ...digest, endedAt: run.finishedAt ?? run.createdAt, place: 0 };
  return (await prisma.$executeRawUnsafe(KEEP, run.id, run.eventNumber, storableJson([record]))) === 1;
}

/** How many texts are made searchable at once, in one transaction. */
const PORTION = 20;
/** How many runs without measures are: each look goes through all runs. */
const RUNS_PORTION = 1_000;

/**
 * Works out the measures of ended runs that have none, such as those of an older Hone and imported ones, or that another format of
 * measures was made of. Answers how many were made. Runs up to the number `from` are left alone.
 */
export async function measureRuns(
  { database }: Pick<AppContext, 'database'>,
  signal: AbortSignal,
  from = -1,
): Promise<number> {
  let made = 0;
  let after = from;
  for (;;) {
    const portion = await unmeasuredRuns(database, after, RUNS_PORTION);
    for (const { id, number } of portion) {
      if (signal.aborted) return made;
      after = number;
      const stored = await loadRun(database, id);
      if (
        stored !== null &&
        (await saveMeasures(database, stored, digestRun(stored.history, stored.settings, stored.run)))
      )
        made++;
    }
    if (portion.length < RUNS_PORTION) return made;
  }
}

/** Makes the texts of measured runs searchable that are not so yet. */
export async function makeSearchable({ database }: Pick<AppContext, 'database'>, signal: AbortSignal): Promise<void> {
  for (;;) {
    const portion = await unsearchedRuns(database, PORTION);
    const filled = portion.length === 0 ? 0 : await fillSearch(database, portion);
    if (filled === 0 || portion.length < PORTION || signal.aborted) return;
  }
}
