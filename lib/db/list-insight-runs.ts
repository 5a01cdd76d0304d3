import type { JudgedPair } from '#lib/measures/digest-run.ts';
import type { RunReading } from '#lib/measures/run-readings.ts';
import type { Database } from './database.ts';
import { ARMS, type ArmsInTime, armValues, ofArm } from './insight-scope.ts';
import { type Page, pageOf } from './page.ts';
import { rescoredAlike } from './rescored-alike.ts';
import { OWN_RUN } from './run-conditions.ts';
import { RUN_COLUMNS, type RunRow, runListRow } from './run-list-row.ts';
import { TARGET_CONDITIONS } from './target-conditions.ts';

/** Some runs, and how many there are of all that `counts` says. */
export type InsightRuns = Page<RunRow> & { total: number; counts: number };

/**
 * The ended runs of some arms that read in one way, newest first: those behind a tile of the insights. The cursor is a run's number;
 * `counts` are the runs that could read so or otherwise.
 */
export async function listInsightRuns(
  database: Pick<Database, 'pool'>,
  scope: ArmsInTime,
  { reading, cursor, limit }: { reading: RunReading; cursor: string | null; limit: number },
): Promise<InsightRuns> {
  const before = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : null;
  const { counts, holds, ids, allIds } = await conditionsOf(database, scope, reading);
  const values = [...armValues(scope), ids, allIds, before, limit + 1];
  const { rows } = await database.pool.query<{ total: number; counts: number; page: string[] | null }>(
    `${ARMS},
     counted AS MATERIALIZED (
       SELECT r.id, r.number, ${holds} AS holds
       FROM arms a JOIN runs r ON ${ofArm('r')} JOIN run_measures m ON m.run_id = r.id
       WHERE ${OWN_RUN} AND ($4::timestamptz IS NULL OR m.ended_at >= $4) AND $5::uuid[] IS NOT NULL AND $6::uuid[] IS NOT NULL AND ${counts})
     SELECT (SELECT count(*)::int FROM counted) AS counts, (SELECT count(*)::int FROM counted WHERE holds) AS total,
       (SELECT array_agg(p.id) FROM (
         SELECT id FROM counted WHERE holds AND ($7::int IS NULL OR number < $7) ORDER BY number DESC LIMIT $8) p) AS page`,
    values,
  );
  const found = rows[0] ?? { total: 0, counts: 0, page: null };
  const listed = await database.pool.query<Record<string, unknown>>({
    name: 'runs-by-id',
    text: `SELECT ${RUN_COLUMNS} FROM runs r JOIN experiments x ON x.id = r.experiment_id WHERE r.id = ANY ($1::uuid[]) ORDER BY r.number DESC`,
    values: [found.page ?? []],
  });
  const page = pageOf(
    listed.rows.map((row) => runListRow.parse(row)),
    limit,
    (run) => String(run.number),
  );
  return { ...page, total: found.total, counts: found.counts };
}

type Conditions = { counts: string; holds: string; ids: string[]; allIds: string[] };

/** Which runs count and which read so, in SQL; `ids` is its parameter 5, `allIds` its parameter 6. */
async function conditionsOf(
  database: Pick<Database, 'pool'>,
  scope: ArmsInTime,
  reading: RunReading,
): Promise<Conditions> {
  switch (reading) {
    case 'final_better.met':
    case 'final_better.missed':
      return byTarget('final_better', reading.endsWith('.met'));
    case 'within_three.met':
    case 'within_three.missed':
      return byTarget('within_three', reading.endsWith('.met'));
    case 'issues_resolved.met':
    case 'issues_resolved.missed':
      return byTarget('issues_resolved', reading.endsWith('.met'));
    case 'ended_by_rule.met':
    case 'ended_by_rule.missed':
      return byTarget('ended_by_rule', reading.endsWith('.met'));
    case 'scored_alike.met':
    case 'scored_alike.missed': {
      const alike = await rescoredAlike(database, scope);
      const parted = new Set(alike.flatMap(({ partedRunIds }) => partedRunIds));
      const rescored = alike.flatMap(({ runIds }) => runIds);
      const isMet = reading === 'scored_alike.met';
      return {
        counts: 'r.id = ANY ($6)',
        holds: 'r.id = ANY ($5)',
        ids: rescored.filter((id) => parted.has(id) !== isMet),
        allIds: rescored,
      };
    }
    case 'people.let_through':
      return byJudge('person', 'j."judgePass" AND NOT j."truthPass"');
    case 'people.held_back':
      return byJudge('person', 'NOT j."judgePass" AND j."truthPass"');
    case 'people.agreed':
      return byJudge('person', 'j."judgePass" = j."truthPass"');
    case 'checks.let_through':
      return byJudge('check', 'j."judgePass" AND NOT j."truthPass"');
    case 'checks.held_back':
      return byJudge('check', 'NOT j."judgePass" AND j."truthPass"');
    case 'checks.agreed':
      return byJudge('check', 'j."judgePass" = j."truthPass"');
  }
}

function byTarget(target: keyof typeof TARGET_CONDITIONS, isMet: boolean): Conditions {
  const { counts, met } = TARGET_CONDITIONS[target];
  return { counts, holds: isMet ? `(${met})` : `(${met}) IS NOT TRUE`, ids: [], allIds: [] };
}

function byJudge(by: JudgedPair['by'], condition: string): Conditions {
  const holds = (what: string) =>
    `EXISTS (SELECT 1 FROM jsonb_to_recordset(m.judged) AS j(by text, "judgePass" boolean, "truthPass" boolean) WHERE j.by = '${by}' AND ${what})`;
  return { counts: holds('true'), holds: holds(condition), ids: [], allIds: [] };
}
