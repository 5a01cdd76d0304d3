import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { createStampCache } from '#lib/database/create-stamp-cache.ts';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import { type ArmName, writeArmName } from './arm-name.ts';
import {
  type ArmAgainst,
  type ArmCase,
  type ArmCases,
  type ArmComparison,
  chooseMetric,
  compareArms,
  verdictsAgainst,
} from './compare-arms.ts';
import { type ArmRun, type FoundArm, findArm, listArmRuns, listCutArmCases } from './queries.ts';
import {
  type ArmCaseChange,
  armCaseChange,
  type CaseChangeKind,
  type ComparedCaseRow,
  type Comparison,
  effortDifference,
  mostVersions,
  settingsDifferences,
} from './schema.ts';

/** A case on every arm, the baseline first. Null if an arm did not run it. `changes`: from the baseline to each arm. */
type ChangedCase = {
  caseKey: string;
  arms: (ArmCase | null)[];
  changes: ArmCaseChange[];
};

/** Returns all cases of all arms, paired by key: those of the baseline in its order, then those run only by others. */
function changedCases(lists: readonly (readonly ArmCase[])[], metric: ComparedMetric): ChangedCase[] {
  const byKey = lists.map((cases) => new Map(cases.map((one) => [one.caseKey, one])));
  const keys = new Set(lists.flatMap((cases) => cases.map(({ caseKey }) => caseKey)));
  return [...keys].map((caseKey) => {
    const arms = byKey.map((cases) => cases.get(caseKey) ?? null);
    const baseline = arms[0] ?? null;
    return {
      caseKey,
      arms,
      changes: arms.map((arm) => armCaseChange(baseline, arm, metric)),
    };
  });
}

/** Returns the cases with this kind of change on the arm at `index`, the largest changes first. */
function casesThat(cases: readonly ChangedCase[], index: number, kind: CaseChangeKind): ChangedCase[] {
  const size = ({ changes }: ChangedCase) => Math.abs(changes[index]?.by ?? 0);
  return cases.filter(({ changes }) => changes[index]?.kind === kind).sort((one, other) => size(other) - size(one));
}

/** Returns the listed cases with the first run of each arm. `runs`: the runs of these cases, by arm. */
function caseRows(cases: readonly ChangedCase[], runs: readonly (readonly ArmRun[])[]): ComparedCaseRow[] {
  const firsts = runs.map((ofArm) => new Map(ofArm.toReversed().map((run) => [run.caseKey, run])));
  return cases.map(({ caseKey, arms, changes }) => ({
    caseKey,
    // All runs of a case have the same input.
    title: firsts.find((ofArm) => ofArm.has(caseKey))?.get(caseKey)?.title ?? '',
    changes,
    arms: arms.map((arm, index) => {
      if (arm === null) return null;
      const first = firsts[index]?.get(caseKey);
      return {
        runs: arm.runs,
        judged: arm.judged,
        solved: arm.solved,
        score: arm.score,
        runId: first?.id ?? null,
        scores: first?.scores ?? [],
      };
    }),
  }));
}

/** Arms with known versions, the baseline first. */
export type ComparedArms = [FoundArm, ...FoundArm[]];

async function describeMissing({ prisma }: DatabaseContext['database'], name: ArmName): Promise<string> {
  const experiment = await prisma.experiment.findUnique({
    where: { id: name.experimentId },
    select: { name: true, latestVersion: true },
  });
  return experiment === null || name.version === null
    ? `There is no experiment ${writeArmName(name)}. It may have been deleted.`
    : `The experiment “${experiment.name}” has no version ${name.version}. Its latest version is ${experiment.latestVersion}.`;
}

/** Finds the arms of a comparison, which may lack versions, and moves the baseline to the front. The default baseline is the first arm. */
export async function findComparedArms(
  { database }: DatabaseContext,
  names: readonly ArmName[],
  baseline: ArmName | null,
): Promise<Result<ComparedArms>> {
  const found = await Promise.all(names.map((name) => findArm(database, name)));
  const missing = names.find((_name, index) => found[index] === null);
  if (missing !== undefined) return fail('not_found', await describeMissing(database, missing), FIELD);
  const arms = found.filter((arm) => arm !== null);
  const tuning = arms.find(({ settings }) => settings.mode === 'tune');
  if (tuning !== undefined)
    return fail(
      'invalid',
      `“${tuning.experimentName}” tunes a prompt: its runs are over all cases at once, so they cannot be compared case by case. Its runs’ pages show what tuning gained.`,
      FIELD,
    );
  if (new Set(arms.map(nameOf)).size < arms.length)
    return fail(
      'invalid',
      'The same version of an experiment is named twice. An experiment without a version means its latest version.',
      FIELD,
    );
  const first = baseline === null ? arms[0] : arms.find((arm) => isNamed(arm, baseline));
  if (first === undefined)
    return fail('invalid', 'baseline must be one of the experiments that are compared.', 'baseline');
  return succeed([first, ...arms.filter((arm) => arm !== first)]);
}

const FIELD = 'experimentIds';

/** True if a name, with or without a version, matches an arm. */
function isNamed(arm: Pick<FoundArm, 'experimentId' | 'version'>, name: ArmName): boolean {
  return name.experimentId === arm.experimentId && (name.version === null || name.version === arm.version);
}

/** Returns `experimentId@version`. */
export function nameOf({ experimentId, version }: Pick<FoundArm, 'experimentId' | 'version'>): string {
  return writeArmName({ experimentId, version });
}

/**
 * Returns the comparison at equal effort: every run is truncated to the smallest maximum number of versions of all arms. Null if all have
 * the same maximum, if measures are missing, or if the best version is not the highest-scoring one, because the choice of a truncated run
 * is unknown.
 */
async function compareAtEqualEffort(
  database: AppContext['database'],
  sides: readonly ArmCases[],
  arms: ComparedArms,
  metric: ComparedMetric,
): Promise<Comparison['cut']> {
  const caps = arms.map(({ settings }) => mostVersions(settings));
  const versions = Math.min(...caps);
  if (versions === Math.max(...caps)) return null;
  if (arms.some(({ settings }) => settings.bestVersion !== 'highest_score')) return null;
  const cut = await Promise.all(
    sides.map(async (side, index) => {
      const arm = arms[index];
      if (arm === undefined || caps[index] === versions) return side;
      const cases = await listCutArmCases(database, arm, versions);
      return cases === null ? null : { ...side, cases };
    }),
  );
  const [baseline, ...others] = cut.filter((side) => side !== null);
  if (baseline === undefined || others.length + 1 < cut.length) return null;
  return { versions, against: verdictsAgainst(baseline, others, metric) };
}

/** Maximum number of bars that can be distinguished. */
const MAX_SHOWN_DIFFERENCES = 200;

/** Returns the differences in ascending order. If there are too many to draw, returns a sample at even ranks that includes both ends. */
export function shownDifferences(differences: readonly number[]): number[] {
  const sorted = differences.toSorted((one, other) => one - other);
  if (sorted.length <= MAX_SHOWN_DIFFERENCES) return sorted;
  const step = (sorted.length - 1) / (MAX_SHOWN_DIFFERENCES - 1);
  return Array.from({ length: MAX_SHOWN_DIFFERENCES }, (_, index) => sorted[Math.round(index * step)] ?? 0);
}

export type ComparisonQuery = ArmsQuery & ShownQuery;

type ArmsQuery = {
  /** Two to five arms. */
  arms: readonly ArmName[];
  /** Null for the first arm. */
  baseline: ArmName | null;
};

type ShownQuery = {
  /** Null for the more informative one, see `chooseMetric`. */
  metric: ComparedMetric | null;
  /** Limits the list to cases with this kind of change on an arm, by default the first after the baseline. Null for all cases. */
  show: { arm: ArmName | null; kind: CaseChangeKind } | null;
  /** Number of cases to skip, and maximum number to return. */
  offset: number;
  limit: number;
};

/** Compares experiments on the same cases: the results of each, their difference from the baseline, and the cases side by side. */
export async function compareExperiments(
  context: DatabaseContext,
  query: ComparisonQuery,
): Promise<Result<Comparison>> {
  const found = await findComparedArms(context, query.arms, query.baseline);
  return found.ok ? compareFoundArms(context, found.value, query) : found;
}

/** Like `compareExperiments`, for arms that are already found. */
export async function compareFoundArms(
  { database }: DatabaseContext,
  arms: ComparedArms,
  query: ShownQuery,
): Promise<Result<Comparison>> {
  const [baseline] = arms;
  const key = `${arms.map(nameOf).join(' ')} ${query.metric}`;
  const stamp = arms.map((arm) => arm.stamp).join();
  const { cases, ...worked } = await getComputedComparison(key, stamp, () =>
    computeComparison(database, arms, query.metric),
  );
  const shown = shownCases(cases, arms, query.show);
  if (!shown.ok) return shown;
  const page = shown.value.slice(query.offset, query.offset + query.limit);
  const keys = page.map(({ caseKey }) => caseKey);
  const runs = await Promise.all(arms.map((arm) => listArmRuns(database, arm, keys)));
  const next = query.offset + page.length;
  return succeed({
    ...worked,
    arms: worked.arms.map((sum, index) => ({ ...sum, ...factsOf(arms[index] ?? baseline, baseline) })),
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

/** Results computed from all cases of the arms, the same for every page and filter. */
type ComputedComparison = ArmComparison &
  Pick<Comparison, 'sharedCases' | 'cut'> & {
    against: (ArmAgainst & { differences: number[] })[];
    cases: readonly ChangedCase[];
  };

/** Approximate memory limit for cached comparisons, and the size of a case, fixed and per arm. */
const MAX_CACHE_BYTES = 24_000_000;
const CASE_BYTES = 100;
const ARM_BYTES = 80;
const getComputedComparison = createStampCache<ComputedComparison>(
  MAX_CACHE_BYTES,
  ({ arms, cases }) => 5_000 + cases.length * (CASE_BYTES + arms.length * ARM_BYTES),
);

async function computeComparison(
  database: AppContext['database'],
  arms: ComparedArms,
  requestedMetric: ComparedMetric | null,
): Promise<ComputedComparison> {
  const sides = arms.map((arm) => ({ arm: nameOf(arm), cases: arm.cases }));
  const metric = requestedMetric ?? chooseMetric(sides);
  const compared = compareArms(sides, { baseline: nameOf(arms[0]), metric });
  const cases = changedCases(
    arms.map((arm) => arm.cases),
    metric,
  );
  return {
    ...compared,
    against: compared.against.map((one, index) => ({
      ...one,
      differences: shownDifferences(cases.flatMap(({ changes }) => changes[index + 1]?.by ?? [])),
    })),
    sharedCases: cases.filter((one) => one.arms.every((arm) => arm !== null)).length,
    cut: await compareAtEqualEffort(database, sides, arms, metric),
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
  const index = arm === null ? 1 : arms.findIndex((one) => isNamed(one, arm));
  if (index < 1)
    return fail('invalid', 'arm must be one of the experiments that are compared, and not the baseline.', 'arm');
  return succeed(casesThat(cases, index, kind));
}
