import { createStampCache } from '#lib/database/create-stamp-cache.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { type Page, pageOf } from '#lib/database/query-values.ts';
import { type RunRow, readRunRows } from '#lib/runs/list-runs.ts';
import type { JudgedPair } from '#lib/statistics/judged-pairs.ts';
import type { RunReading } from '#lib/statistics/run-readings.ts';
import { countRescores, findRescoreAgreement } from './find-insights-sums.ts';
import {
  type ArmsInTime,
  findReadingRuns,
  type ReadingConditions,
  type ReadingRuns,
  stampOfArms,
  TARGET_CONDITIONS,
} from './queries.ts';

/** A page of runs with its total. `counts` is the number of runs to which the reading applies. */
type InsightRuns = Page<RunRow> & { total: number; counts: number };

/**
 * Lists the ended runs with one reading, newest first: the runs behind a tile of the insights. The cursor is a run's number. `counts` is
 * the number of runs to which the reading applies, met or not.
 */
export async function listInsightRuns(
  database: DatabaseClient,
  scope: ArmsInTime,
  { reading, cursor, limit }: { reading: RunReading; cursor: string | null; limit: number },
): Promise<InsightRuns> {
  const before = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  const found = await readingRuns(database, scope, reading);
  const from = found.numbers.findIndex((number) => number < before);
  const shown = from < 0 ? [] : [...found.numbers.subarray(from, from + limit + 1)];
  const page = pageOf(await readRunRows(database, 'r.number = ANY ($1::int[])', [shown]), limit, ({ number }) =>
    String(number),
  );
  return { ...page, total: found.numbers.length, counts: found.counts };
}

/** Approximate memory limit of the cache. */
const MAX_CACHE_BYTES = 8_000_000;
const readingCache = createStampCache<ReadingRuns>(MAX_CACHE_BYTES, ({ numbers }) => numbers.byteLength + 500);

/** For all time, uses the cache until a run of the arms or any re-score changes. */
async function readingRuns(database: DatabaseClient, scope: ArmsInTime, reading: RunReading): Promise<ReadingRuns> {
  const find = async () => findReadingRuns(database, scope, await conditionsOf(database, scope, reading));
  if (scope.since !== null) return find();
  const [stamp, rescores] = await Promise.all([stampOfArms(database, scope), countRescores(database)]);
  const names = scope.arms.map(({ experimentId, version, within }) => `${experimentId}@${version} ${within}`);
  return readingCache(`${reading} ${names.join()}`, `${stamp} ${rescores}`, find);
}

async function conditionsOf(
  database: DatabaseClient,
  scope: ArmsInTime,
  reading: RunReading,
): Promise<ReadingConditions> {
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
      const alike = await findRescoreAgreement(database, scope);
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

function byTarget(target: keyof typeof TARGET_CONDITIONS, isMet: boolean): ReadingConditions {
  const { counts, met } = TARGET_CONDITIONS[target];
  return { counts, holds: isMet ? `(${met})` : `(${met}) IS NOT TRUE`, ids: [], allIds: [] };
}

function byJudge(by: JudgedPair['by'], condition: string): ReadingConditions {
  const holds = (what: string) =>
    `EXISTS (SELECT 1 FROM jsonb_to_recordset(m.judged) AS j(by text, "judgePass" boolean, "truthPass" boolean) WHERE j.by = '${by}' AND ${what})`;
  return { counts: holds('true'), holds: holds(condition), ids: [], allIds: [] };
}
