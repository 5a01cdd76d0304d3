import type { Comparison, ComparisonArm, SettingsDifference } from '#lib/compare/schema.ts';
import { formatList, formatNumberOf, formatPercent, formatScore, formatTitle } from '#lib/format.ts';
import { decimalsOfInterval, writeChance, writeP } from '#lib/statistics/format-statistics.ts';
import type { PairedVerdict, Verdict } from '#lib/statistics/paired-verdict.ts';
import { armLetter } from './compare-address.ts';

/** Returns the short title of an arm: its version if all arms are of one experiment, else the experiment name. */
export function armTitle(arm: ComparisonArm, arms: readonly ComparisonArm[]): string {
  return isOneExperiment(arms) ? `v${arm.version}` : arm.experimentName;
}

export function isOneExperiment(arms: readonly ComparisonArm[]): boolean {
  return new Set(arms.map(({ experimentId }) => experimentId)).size === 1;
}

/** Returns the label of a setting within a sentence: `lessons.topK` → `lessons: top k`. */
function settingLabel(setting: string): string {
  return setting
    .split('.')
    .map((part) => part.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .join(': ');
}

/** Describes a changed setting: `max attempts 4 → 5`. Omits long values. */
export function settingChangeLabel({ setting, before, after }: SettingsDifference): string {
  const name = settingLabel(setting);
  return before === null || after === null ? `other ${name}` : `${name} ${before} → ${after}`;
}

/** Returns the maximum effort of a run of an arm: `retry, 4 attempts`. */
export function loopOfArm(arm: ComparisonArm, effort: Comparison['effort']['arms'][number] | undefined): string {
  const most = effort?.mostVersions ?? 1;
  return `${arm.mode}, ${formatNumberOf(most, arm.mode === 'retry' ? 'attempt' : 'version')}`;
}

/** Returns the number of runs per case: `one run a case`, `3 runs a case`. */
export function runsLabel(arms: readonly ComparisonArm[]): string {
  const perCase = arms.flatMap(({ runs, cases }) => (cases === 0 ? [] : [runs / cases]));
  if (perCase.every((runs) => runs === 1)) return 'one run a case';
  const [lowest, highest] = [Math.min(...perCase), Math.max(...perCase)].map((runs) => Number(runs.toFixed(1)));
  return lowest === highest ? `${lowest} runs a case` : `${lowest} to ${highest} runs a case`;
}

/** Maximum number of characters of each name in the title of a comparison. */
const MAX_NAME_LENGTH_IN_TITLE = 60;

/** Returns the title of a comparison and its short form for breadcrumbs. Uses versions for one experiment, else names. */
export function comparisonTitle(arms: readonly ComparisonArm[]): { title: string; short: string } {
  const versions = arms.map(({ version }) => `v${version}`);
  const plain = arms.map(({ experimentName }) => experimentName);
  if (isOneExperiment(arms)) {
    const name = formatTitle(plain[0] ?? '', MAX_NAME_LENGTH_IN_TITLE);
    return { title: `${name}: ${formatList(versions)}`, short: `Compare ${versions.join(', ')}` };
  }
  const shortened = plain.map((name) => formatTitle(name, MAX_NAME_LENGTH_IN_TITLE));
  const numbered = shortened.map((name, index) => `${name} ${versions[index]}`);
  const isUnique = (labels: readonly string[]) => new Set(labels).size === labels.length;
  const names = isUnique(shortened)
    ? shortened
    : isUnique(numbered)
      ? numbered
      : shortened.map((name, index) => `${armLetter(index)}: ${name}`);
  if (names.length === 2) return { title: `${names[1]} against ${names[0]}`, short: 'Compare two experiments' };
  return { title: `${formatList(names.slice(1))} against ${names[0]}`, short: `Compare ${names.length} experiments` };
}

/** Returns the label of a verdict. `baseline`: the letter of the baseline arm. */
export function verdictTitle(verdict: Verdict, baseline: string): string {
  const texts: Record<typeof verdict, string> = {
    better: `Better than ${baseline}`,
    worse: `Worse than ${baseline}`,
    within_noise: 'Within noise',
    too_few: 'Too few cases to tell',
  };
  return texts[verdict];
}

/** Returns the numbers behind a verdict: `by the score: mean +0.06, 95% +0.01 to +0.10, p = 0.03`. */
export function verdictNumbers(result: PairedVerdict): string {
  const { metric, difference } = result;
  if (difference === null) return metric === 'score' ? 'no case is scored in both' : 'no case was judged in both';
  const by = metric === 'score' ? 'by the score: mean' : 'by cases solved:';
  return `${by} ${differenceLabel(metric, difference, { bounds: result })}${intervalLabel(result)}${pValueLabel(result)}`;
}

/** Returns the result by the other metric, which does not decide the verdict, as a sentence. */
export function secondVerdict(result: PairedVerdict): { sentence: string; verdict: string | null } {
  const { metric, n, arm, baseline, better, worse, verdict } = result;
  if (arm === null || baseline === null) return { sentence: '', verdict: null };
  const sentence =
    metric === 'solved'
      ? `Solved ${solvedLabel(arm, n, result)}: ${better} gained, ${worse} lost${testLabel(result)}`
      : `Mean best score ${formatScore(arm)} against ${formatScore(baseline)}: ${differenceLabel(metric, result.difference ?? 0, { bounds: result })}${intervalLabel(result)}${testLabel(result)}`;
  return { sentence, verdict: SECOND[verdict] };
}

const SECOND: Record<Verdict, string> = {
  better: 'better by more than noise',
  worse: 'worse by more than noise',
  within_noise: 'within noise',
  too_few: 'too few cases to tell',
};

/** Returns `20 of 24` if each case was run once, else the mean over cases of the share of their runs. */
function solvedLabel(share: number, n: number, { test }: PairedVerdict): string {
  return test === 'mcnemar_exact'
    ? `${Math.round(share * n)} of ${n}`
    : `${formatPercent(share)} of the runs of a case, mean of ${formatNumberOf(n, 'case')}`;
}

const TESTS = {
  mcnemar_exact: 'McNemar',
  paired_bootstrap: 'Paired bootstrap',
  student_t: 'Student’s t',
} as const;

function testLabel({ test, p, pHolm }: PairedVerdict): string {
  if (test === null || p === null) return '';
  return `. ${TESTS[test]} ${writeP(p)}${holmLabel(p, pHolm)}`;
}

function pValueLabel({ test, p, pHolm }: PairedVerdict): string {
  if (p === null) return '';
  const name = test === 'student_t' ? ' (Student’s t)' : test === 'mcnemar_exact' ? ' (McNemar)' : '';
  return `, ${writeP(p)}${name}${holmLabel(p, pHolm)}`;
}

/** Returns the Holm-corrected p value. Empty if it does not differ from the uncorrected value. */
function holmLabel(p: number, pHolm: number | null): string {
  return pHolm === null || writeChance(pHolm) === writeChance(p) ? '' : `, ${writeChance(pHolm)} after Holm`;
}

/** Returns `, 95% +0.01 to +0.10`. Empty without an interval. */
export function intervalLabel(result: Pick<PairedVerdict, 'metric' | 'low' | 'high'>): string {
  const { metric, low, high } = result;
  if (low === null || high === null) return '';
  return `, 95% ${differenceLabel(metric, low, { hasUnit: false, bounds: result })} to ${differenceLabel(metric, high, { bounds: result })}`;
}

type DifferenceOptions = { hasUnit?: boolean; bounds?: Pick<PairedVerdict, 'low' | 'high'> };

/**
 * Returns a difference with its sign: `+0.06` for scores, `+25 points` for solved shares. A rounded zero has no sign. `bounds`: an interval
 * whose distance from 0 must show.
 */
export function differenceLabel(
  metric: PairedVerdict['metric'],
  difference: number,
  { hasUnit = true, bounds = { low: null, high: null } }: DifferenceOptions = {},
): string {
  const [scale, least] = metric === 'score' ? [1, 2] : [100, 0];
  const shown = Math.abs(difference * scale).toFixed(decimalsOfInterval(bounds, least, scale));
  const sign = Number(shown) === 0 ? '' : difference > 0 ? '+' : '−';
  return `${sign}${shown}${metric === 'solved' && hasUnit ? ' points' : ''}`;
}

/**
 * Returns the true difference that this number of cases would miss half the time: half the interval width. Null without an interval.
 * Source: at 50% power the smallest detectable difference is the critical value times the standard error.
 */
export function detectableDifference(results: readonly PairedVerdict[]): { n: number; size: string } | null {
  const widths = results.flatMap(({ metric, n, low, high }) =>
    low === null || high === null || high === low ? [] : [{ metric, n, half: (high - low) / 2 }],
  );
  const widest = widths.toSorted((one, other) => other.half - one.half)[0];
  if (widest === undefined) return null;
  const { metric, n, half } = widest;
  const size = metric === 'score' ? Math.max(0.01, half).toFixed(2) : `${Math.max(1, Math.round(half * 100))} points`;
  return { n, size };
}

/** Returns pass@k as a sentence: for one run, and for the number of runs most cases have. Null if no case was run more than once. */
export function passAtKLabel(passAtK: ComparisonArm['passAtK']): string | null {
  const [one] = passAtK;
  const most = passAtK.findLast(({ n, k }) => k > 1 && n * 2 >= (one?.n ?? 0));
  if (one === undefined || most === undefined) return null;
  return `A single run solves a case ${chanceOf(one)} of the time. At least one of ${most.k} runs does ${chanceOf(most)} of the time (${formatNumberOf(most.n, 'case')}).`;
}

function chanceOf({ mean, low, high }: ComparisonArm['passAtK'][number]): string {
  const bounds = low === null || high === null ? '' : ` (${Math.round(low * 100)} to ${Math.round(high * 100)})`;
  return `${formatPercent(mean)}${bounds}`;
}
