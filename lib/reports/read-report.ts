import { findAgreement } from '#lib/blind-review/blind-review.ts';
import { compareExperiments } from '#lib/compare/compare-experiments.ts';
import { type ArmRun, type FoundArm, findArm, listArmRuns } from '#lib/compare/queries.ts';
import type { Comparison } from '#lib/compare/schema.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { roundTo6 } from '#lib/core/round.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { createStampCache } from '#lib/database/create-stamp-cache.ts';
import { type ExperimentView, findExperiment } from '#lib/experiments/queries.ts';
import { countRescores, insightsSums } from '#lib/insights/find-insights-sums.ts';
import { findReviewers, listInsightArms } from '#lib/insights/queries.ts';
import { type InsightsReport, insightsReport } from '#lib/insights/schema.ts';
import { type BatchReport, reportBatch, type TrajectoryPoint, trajectorySpread } from '#lib/statistics/batch-report.ts';
import { type MeanInterval, meanInterval } from '#lib/statistics/intervals.ts';
import type { JudgeAgreement } from '#lib/statistics/judge-agreement.ts';
import type { ReviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';

/** Content of an experiment's report: its ended runs with one settings version, without branches. */
export type ReportContent = {
  experiment: Pick<ExperimentView, 'id' | 'name' | 'origin' | 'control' | 'sample' | 'versions' | 'latestVersion'>;
  version: number;
  settings: ExperimentSettings;
  practice: boolean;
  underWay: number;
  /** Number of ended runs, and of failed ones among them. */
  ended: number;
  failed: number;
  /** First ended runs, up to the maximum of a report. */
  runs: readonly ArmRun[];
  batch: BatchReport;
  /** Mean first and best scores over the cases. */
  first: MeanInterval | null;
  best: MeanInterval | null;
  trajectory: TrajectoryPoint[];
  /** Null if its metrics are not computed, or if it is a control or a trial, which is reported with its original experiment. */
  insights: InsightsReport | null;
  /** Comparisons with the experiment it was made from, and with its controls. */
  comparisons: { title: string; comparison: Comparison }[];
  /** Blind reviews of the experiment with any settings: against the scores, and between reviewers. Null if there are none. */
  blindReviews: { scores: JudgeAgreement; reviewers: ReviewerAgreement } | null;
  at: string;
};

const MAX_CONTROLS = 4;

/** Reads the content of an experiment's report, for the latest settings version with ended runs. */
export async function readReport(context: AppContext, experimentId: string): Promise<Result<ReportContent>> {
  const { database } = context;
  const [experiment, arm] = await Promise.all([
    findExperiment(database, experimentId),
    findArm(database, { experimentId, version: null }),
  ]);
  if (experiment === null || arm === null) return notStored('experiment', experimentId);
  const { version, settings, underWay, ended, failed } = arm;
  if (settings.mode === 'tune')
    return fail('conflict', 'This experiment tunes a prompt. The pages of its runs show what tuning gained.');
  const [results, comparisons, blindReviews] = await Promise.all([
    getRunResults(database, arm),
    comparisonsOf(context, experiment, version),
    findBlindReviews(database, experimentId),
  ]);
  return succeed({
    ...{ experiment, version, settings, underWay, ended, failed, comparisons, blindReviews },
    practice: isPractice(settings),
    ...results,
    at: context.now().toISOString(),
  });
}

async function findBlindReviews(
  database: AppContext['database'],
  experimentId: string,
): Promise<ReportContent['blindReviews']> {
  const scores = await findAgreement(database, experimentId);
  if (scores === null || scores.judgements === 0) return null;
  const { preferences } = await findReviewers(database, { experimentId });
  return { scores, reviewers: preferences };
}

const MAX_LISTED_RUNS = 1_000;
/** Approximate memory limit of cached reports, and size of a listed run with its rendered row, in bytes. */
const MAX_CACHE_BYTES = 16_000_000;
const RUN_BYTES = 1_500;

type RunResults = Pick<ReportContent, 'runs' | 'batch' | 'first' | 'best' | 'trajectory' | 'insights'>;
const getCachedRunResults = createStampCache<RunResults>(
  MAX_CACHE_BYTES,
  ({ runs }) => 20_000 + runs.length * RUN_BYTES,
);

/** Returns the results of an arm's runs, recomputed if a run or a re-score has changed. */
async function getRunResults(database: AppContext['database'], arm: FoundArm): Promise<RunResults> {
  const stamp = `${arm.stamp} ${arm.underWay} ${await countRescores(database)}`;
  return getCachedRunResults(`${arm.experimentId}@${arm.version}`, stamp, async () => {
    const [runs, arms] = await Promise.all([listArmRuns(database, arm, 'all'), listInsightArms(database)]);
    const measured = arms.filter((one) => one.experimentId === arm.experimentId && one.version === arm.version);
    const sums = measured.length === 0 ? null : await insightsSums(database, { arms: measured, since: null });
    return {
      runs: runs.slice(0, MAX_LISTED_RUNS),
      batch: reportBatch(outcomesOf(runs)),
      first: meanInterval(meansByCase(runs, 'firstScore')),
      best: meanInterval(meansByCase(runs, 'bestScore')),
      trajectory: trajectorySpread(runs),
      insights: sums === null ? null : insightsReport(sums),
    };
  });
}

/** Returns the mean score of each case. Runs of one case are not independent. Unscored runs are left out. */
function meansByCase(runs: readonly ArmRun[], score: 'firstScore' | 'bestScore'): number[] {
  return [...Map.groupBy(runs, ({ caseKey }) => caseKey).values()].flatMap((ofCase) => {
    const scores = ofCase.flatMap((run) => run[score] ?? []);
    return scores.length === 0 ? [] : [roundTo6(scores.reduce((sum, one) => sum + one, 0) / scores.length)];
  });
}

function outcomesOf(runs: readonly ArmRun[]) {
  return runs.map((run) => ({
    ...run,
    ended: true,
    satisfactory: Array.from(run.satisfied, (mark) => mark === '1'),
  }));
}

async function comparisonsOf(
  { database }: AppContext,
  { id, name, parent, controls }: ExperimentView,
  version: number,
): Promise<ReportContent['comparisons']> {
  const arm = { experimentId: id, version };
  const ofVersion = controls.filter(({ parentVersion }) => parentVersion === version).slice(0, MAX_CONTROLS);
  const wanted = [
    ...(parent === null
      ? []
      : [
          {
            title: `Against ${parent.name}, which it was made from`,
            arms: [{ experimentId: parent.id, version: parent.version }, arm],
          },
        ]),
    ...(ofVersion.length === 0
      ? []
      : [
          {
            title: `Its controls against ${name}`,
            arms: [arm, ...ofVersion.map((control) => ({ experimentId: control.id, version: null }))],
          },
        ]),
  ];
  const compared = wanted.map(async ({ title, arms }) => {
    const query = { arms, baseline: null, metric: null, show: null, offset: 0, limit: 1 };
    const comparison = await compareExperiments({ database }, query);
    return comparison.ok ? [{ title, comparison: comparison.value }] : [];
  });
  return (await Promise.all(compared)).flat();
}
