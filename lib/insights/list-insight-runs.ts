import { z } from 'zod';
import { cachedByStamp } from '#lib/database/cached-by-stamp.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf } from '#lib/database/query-values.ts';
import { OWN_RUN, RUN_COLUMNS, type RunRow, runListRow } from '#lib/runs/list-runs.ts';
import type { JudgedPair } from '#lib/statistics/judged-pairs.ts';
import type { RunReading } from '#lib/statistics/read-target.ts';
import { countRescores, rescoredAlike } from './find-insights-sums.ts';
import { ARMS, type ArmsInTime, armValues, ofArm, TARGET_CONDITIONS } from './queries.ts';

/** Some runs, and how many there are of all that `counts` says. */
export type InsightRuns = Page<RunRow> & { total: number; counts: number };

/**
 * The ended runs of some arms that read in one way, newest first: those behind a tile of the insights. The cursor is a run's number;
 * `counts` are the runs that could read so or otherwise.
 */
export async function listInsightRuns(
  database: Pick<Database, 'prisma'>,
  scope: ArmsInTime,
  { reading, cursor, limit }: { reading: RunReading; cursor: string | null; limit: number },
): Promise<InsightRuns> {
  const before = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  const found = await readingRuns(database, scope, reading);
  const from = found.numbers.findIndex((number) => number < before);
  const rows = await database.prisma.$queryRawUnsafe(
    `SELECT ${RUN_COLUMNS} FROM runs r JOIN experiments x ON x.id = r.experiment_id WHERE r.number = ANY ($1::int[]) ORDER BY r.number DESC`,
    from < 0 ? [] : [...found.numbers.subarray(from, from + limit + 1)],
  );
  const page = pageOf(z.array(runListRow).parse(rows), limit, ({ number }) => String(number));
  return { ...page, total: found.numbers.length, counts: found.counts };
}

/** The numbers of the runs that read so, newest first, and how many runs could read so or otherwise. */
type ReadingRuns = { numbers: Int32Array; counts: number };

/** About what they may take up in memory. */
const MOST_BYTES = 8_000_000;
const kept = cachedByStamp<ReadingRuns>(MOST_BYTES, ({ numbers }) => numbers.byteLength + 500);

const STAMPS = `
  ${ARMS}
  SELECT string_agg(s.stamp, ',' ORDER BY a.place) AS stamp FROM arms a CROSS JOIN LATERAL (
    SELECT concat_ws(' ', count(*), sum(m.revision), bit_xor(m.revision)) AS stamp FROM run_measures m
    WHERE m.experiment_id = a.experiment_id AND m.experiment_version = a.version) s WHERE $4::timestamptz IS NULL`;

/** Of all time they are looked for only where a run of the arms, or a re-score of one, has changed since. */
async function readingRuns(
  database: Pick<Database, 'prisma'>,
  scope: ArmsInTime,
  reading: RunReading,
): Promise<ReadingRuns> {
  if (scope.since !== null) return findReadingRuns(database, scope, reading);
  const [[found], rescores] = await Promise.all([
    database.prisma.$queryRawUnsafe<{ stamp: string | null }[]>(STAMPS, ...armValues(scope)),
    countRescores(database),
  ]);
  const names = scope.arms.map(({ experimentId, version, within }) => `${experimentId}@${version} ${within}`);
  return kept(`${reading} ${names.join()}`, `${found?.stamp} ${rescores}`, () =>
    findReadingRuns(database, scope, reading),
  );
}

async function findReadingRuns(
  database: Pick<Database, 'prisma'>,
  scope: ArmsInTime,
  reading: RunReading,
): Promise<ReadingRuns> {
  const { counts, holds, ids, allIds } = await conditionsOf(database, scope, reading);
  const [found] = await database.prisma.$queryRawUnsafe<{ counts: number; numbers: number[] | null }[]>(
    `${ARMS}
     SELECT count(*)::int AS counts, array_agg(c.number ORDER BY c.number DESC) FILTER (WHERE c.holds) AS numbers FROM (
       SELECT r.number, ${holds} AS holds
       FROM arms a JOIN runs r ON ${ofArm('r')} JOIN run_measures m ON m.run_id = r.id
       WHERE ${OWN_RUN} AND ($4::timestamptz IS NULL OR m.ended_at >= $4) AND $5::uuid[] IS NOT NULL AND $6::uuid[] IS NOT NULL AND ${counts}) c`,
    ...[...armValues(scope), ids, allIds],
  );
  return { counts: found?.counts ?? 0, numbers: Int32Array.from(found?.numbers ?? []) };
}

type Conditions = { counts: string; holds: string; ids: string[]; allIds: string[] };

/** Which runs count and which read so, in SQL; `ids` is its parameter 5, `allIds` its parameter 6. */
async function conditionsOf(
  database: Pick<Database, 'prisma'>,
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
