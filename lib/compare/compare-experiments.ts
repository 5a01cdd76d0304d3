import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { cachedByStamp } from '#lib/database/cached-by-stamp.ts';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import type { ArmName } from './arm-name.ts';
import { listArmRuns } from './arm-runs.ts';
import type { CaseChangeKind } from './case-change.ts';
import { type ChangedCase, caseRows, casesThat, changedCases } from './changed-cases.ts';
import { type ArmAgainst, type ArmComparison, chooseMetric, compareArms } from './compare-arms.ts';
import { compareCut } from './compare-cut.ts';
import type { Comparison } from './comparison-view.ts';
import { effortDifference } from './effort-difference.ts';
import type { FoundArm } from './find-arm.ts';
import { type ComparedArms, findComparedArms, isNamed, nameOf } from './find-compared-arms.ts';
import { settingsDifferences } from './settings-differences.ts';
import { shownDifferences } from './shown-differences.ts';

export type ComparisonQuery = ArmsQuery & ShownQuery;

type ArmsQuery = {
  /** Two to five. */
  arms: readonly ArmName[];
  /** null: the first of the arms. */
  baseline: ArmName | null;
};

type ShownQuery = {
  /** null: the one that says more, see `chooseMetric`. */
  metric: ComparedMetric | null;
  /** Only cases on which an arm came out so, the first after the baseline where none is named; null: all cases. */
  show: { arm: ArmName | null; kind: CaseChangeKind } | null;
  /** Cases to pass over, and to answer at most. */
  offset: number;
  limit: number;
};

/** Experiments on the same cases: what each came to, how it stands against the baseline, and the cases side by side. */
export async function compareExperiments(
  context: Pick<AppContext, 'database'>,
  query: ComparisonQuery,
): Promise<Result<Comparison>> {
  const found = await findComparedArms(context, query.arms, query.baseline);
  return found.ok ? compareFoundArms(context, found.value, query) : found;
}

/** See `compareExperiments`, of arms that were found. */
export async function compareFoundArms(
  { database }: Pick<AppContext, 'database'>,
  arms: ComparedArms,
  query: ShownQuery,
): Promise<Result<Comparison>> {
  const [baseline] = arms;
  const key = `${arms.map(nameOf).join(' ')} ${query.metric}`;
  const stamp = arms.map((arm) => arm.stamp).join();
  const { cases, ...worked } = await workedOut(key, stamp, () => workOut(database, arms, query.metric));
  const shown = shownCases(cases, arms, query.show);
  if (!shown.ok) return shown;
  const page = shown.value.slice(query.offset, query.offset + query.limit);
  const keys = page.map(({ caseKey }) => caseKey);
  const runs = await Promise.all(arms.map((arm) => listArmRuns(database, arm, keys)));
  const next = query.offset + page.length;
  return succeed({
    ...worked,
    arms: worked.arms.map((sum, place) => ({ ...sum, ...factsOf(arms[place] ?? baseline, baseline) })),
    effort: effortDifference(
      arms.map((arm) => effortOf(arm)),
      0,
    ),
    cases: {
      items: caseRows(page, runs),
      total: shown.value.length,
      nextCursor: next < shown.value.length ? String(next) : null,
    },
  });
}

/** What is said of arms by all their cases, the same for every page and filter of these. */
type WorkedOut = ArmComparison &
  Pick<Comparison, 'sharedCases' | 'cut'> & {
    against: (ArmAgainst & { differences: number[] })[];
    cases: readonly ChangedCase[];
  };

/** About what comparisons may take up in memory, and what a case of one does, for itself and for each arm. */
const MOST_BYTES = 24_000_000;
const CASE_BYTES = 100;
const ARM_BYTES = 80;
const workedOut = cachedByStamp<WorkedOut>(
  MOST_BYTES,
  ({ arms, cases }) => 5_000 + cases.length * (CASE_BYTES + arms.length * ARM_BYTES),
);

async function workOut(
  database: AppContext['database'],
  arms: ComparedArms,
  asked: ComparedMetric | null,
): Promise<WorkedOut> {
  const sides = arms.map((arm) => ({ arm: nameOf(arm), cases: arm.cases }));
  const metric = asked ?? chooseMetric(sides);
  const compared = compareArms(sides, { baseline: nameOf(arms[0]), metric });
  const cases = changedCases(
    arms.map((arm) => arm.cases),
    metric,
  );
  return {
    ...compared,
    against: compared.against.map((one, place) => ({
      ...one,
      differences: shownDifferences(cases.flatMap(({ changes }) => changes[place + 1]?.by ?? [])),
    })),
    sharedCases: cases.filter((one) => one.arms.every((arm) => arm !== null)).length,
    cut: await compareCut(database, sides, arms, metric),
    cases,
  };
}

function effortOf(arm: FoundArm) {
  const costUsd = arm.cases.reduce((sum, one) => sum + one.costUsd * one.runs, 0);
  return {
    settings: arm.settings,
    costPerRun: arm.ended === 0 || arm.unpriced ? null : costUsd / arm.ended,
    tokensPerRun: arm.tokensPerRun,
  };
}

function factsOf(arm: FoundArm, baseline: FoundArm) {
  const {
    experimentId,
    version,
    experimentName,
    origin,
    sample,
    control,
    message,
    failed,
    underWay,
    unpriced,
    settings,
  } = arm;
  return {
    experimentId,
    version,
    experimentName,
    mode: settings.mode,
    origin,
    sample,
    practice: isPractice(settings),
    control,
    message,
    failed,
    underWay,
    unpriced,
    differences: settingsDifferences(baseline.settings, settings),
  };
}

function shownCases(
  cases: readonly ChangedCase[],
  arms: ComparedArms,
  show: ComparisonQuery['show'],
): Result<readonly ChangedCase[]> {
  if (show === null) return succeed(cases);
  const { arm, kind } = show;
  const place = arm === null ? 1 : arms.findIndex((one) => isNamed(one, arm));
  if (place < 1)
    return fail('invalid', 'arm must be one of the experiments that are compared, and not the baseline.', 'arm');
  return succeed(casesThat(cases, place, kind));
}
