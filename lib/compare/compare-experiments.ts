import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { cachedByStamp } from '#lib/database/cached-by-stamp.ts';
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

/** A case on every arm, the baseline first: null where an arm did not run it. `changes` are those of each arm against the baseline. */
type ChangedCase = {
  caseKey: string;
  arms: (ArmCase | null)[];
  changes: ArmCaseChange[];
};

/** All cases that any arm ran, paired by their keys: the baseline's in its order, then what only others ran. */
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

/** The cases on which the arm at `place` came out so, those that changed most first. */
function casesThat(cases: readonly ChangedCase[], place: number, kind: CaseChangeKind): ChangedCase[] {
  const size = ({ changes }: ChangedCase) => Math.abs(changes[place]?.by ?? 0);
  return cases.filter(({ changes }) => changes[place]?.kind === kind).sort((one, other) => size(other) - size(one));
}

/** Cases as they are listed, with the first run of each arm; `runs` by arm, of these cases. */
function caseRows(cases: readonly ChangedCase[], runs: readonly (readonly ArmRun[])[]): ComparedCaseRow[] {
  const firsts = runs.map((ofArm) => new Map(ofArm.toReversed().map((run) => [run.caseKey, run])));
  return cases.map(({ caseKey, arms, changes }) => ({
    caseKey,
    // Runs of one case have one input.
    title: firsts.find((ofArm) => ofArm.has(caseKey))?.get(caseKey)?.title ?? '',
    changes,
    arms: arms.map((arm, place) => {
      if (arm === null) return null;
      const first = firsts[place]?.get(caseKey);
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

/** Arms with their versions filled in, the baseline first. */
export type ComparedArms = [FoundArm, ...FoundArm[]];

/** Finds the arms of a comparison, which may be named without versions, and puts the baseline before the others: the first where none is named. */
export async function findComparedArms(
  { database }: Pick<AppContext, 'database'>,
  names: readonly ArmName[],
  baseline: ArmName | null,
): Promise<Result<ComparedArms>> {
  const found = await Promise.all(names.map((name) => findArm(database, name)));
  const missing = names.find((_name, place) => found[place] === null);
  if (missing !== undefined)
    return fail('not_found', `There is no experiment ${writeArmName(missing)}. It may have been deleted.`, FIELD);
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

/** Whether a name, with or without a version, is that of an arm. */
function isNamed(arm: Pick<FoundArm, 'experimentId' | 'version'>, name: ArmName): boolean {
  return name.experimentId === arm.experimentId && (name.version === null || name.version === arm.version);
}

/** `experimentId@version`. */
export function nameOf({ experimentId, version }: Pick<FoundArm, 'experimentId' | 'version'>): string {
  return writeArmName({ experimentId, version });
}

/**
 * The comparison at equal effort: every run cut to the fewest versions that all arms may make. Null where all may make as many, where
 * the best version is not the highest one (what a cut run would have picked is not known), or while measures are missing.
 */
async function compareCut(
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
    sides.map(async (side, place) => {
      const arm = arms[place];
      if (arm === undefined || caps[place] === versions) return side;
      const cases = await listCutArmCases(database, arm, versions);
      return cases === null ? null : { ...side, cases };
    }),
  );
  const [baseline, ...others] = cut.filter((side) => side !== null);
  if (baseline === undefined || others.length + 1 < cut.length) return null;
  return { versions, against: verdictsAgainst(baseline, others, metric) };
}

/** More bars than these are no longer told apart. */
const MOST = 200;

/** Differences from the lowest to the highest; of very many as many as can be drawn, at even ranks, the ends among them. */
export function shownDifferences(differences: readonly number[]): number[] {
  const sorted = differences.toSorted((one, other) => one - other);
  if (sorted.length <= MOST) return sorted;
  const step = (sorted.length - 1) / (MOST - 1);
  return Array.from({ length: MOST }, (_, place) => sorted[Math.round(place * step)] ?? 0);
}

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
