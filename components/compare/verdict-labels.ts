import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { PairedVerdict, Verdict } from '#lib/statistics/paired-verdict.ts';
import { writeChance } from '#lib/statistics/write-chance.ts';

/** The verdict in words, against the arm of this letter. */
export function verdictTitle(verdict: Verdict, baseline: string): string {
  switch (verdict) {
    case 'better':
      return `Better than ${baseline}`;
    case 'worse':
      return `Worse than ${baseline}`;
    case 'within_noise':
      return 'Within noise';
    case 'too_few':
      return 'Too few cases to tell';
  }
}

/** The numbers behind it: `by the score: mean +0.06, 95 % +0.01 to +0.10, p 0.03`. */
export function verdictNumbers(result: PairedVerdict): string {
  const { metric, difference } = result;
  if (difference === null) return metric === 'score' ? 'no case is scored in both' : 'no case was judged in both';
  const by = metric === 'score' ? 'by the score: mean' : 'by cases solved:';
  return `${by} ${differenceLabel(metric, difference)}${intervalLabel(result)}${chanceLabel(result)}`;
}

/** The same by the measure that the verdict does not go by, as a sentence. */
export function secondVerdict(result: PairedVerdict): { sentence: string; verdict: string | null } {
  const { metric, n, arm, baseline, better, worse, verdict } = result;
  if (arm === null || baseline === null) return { sentence: '', verdict: null };
  const sentence =
    metric === 'solved'
      ? `Solved ${solvedLabel(arm, n, result)}: ${better} gained, ${worse} lost${testLabel(result)}`
      : `Mean best score ${formatScore(arm)} against ${formatScore(baseline)}: ${differenceLabel(metric, result.difference ?? 0)}${intervalLabel(result)}${testLabel(result)}`;
  return { sentence, verdict: SECOND[verdict] };
}

const SECOND: Record<Verdict, string> = {
  better: 'better by more than noise',
  worse: 'worse by more than noise',
  within_noise: 'within noise',
  too_few: 'too few cases to tell',
};

/** `20 of 24` where each case was run once, else a share. */
function solvedLabel(share: number, n: number, { test }: PairedVerdict): string {
  return test === 'mcnemar_exact'
    ? `${Math.round(share * n)} of ${n}`
    : `${Math.round(share * 100)} % of the runs of ${formatNumberOf(n, 'case')}`;
}

const TESTS = {
  mcnemar_exact: 'McNemar',
  paired_bootstrap: 'Paired bootstrap',
  student_t: 'Student’s t',
} as const;

function testLabel({ test, p, pHolm }: PairedVerdict): string {
  if (test === null || p === null) return '';
  return `. ${TESTS[test]} p ${writeChance(p)}${holmLabel(p, pHolm)}`;
}

function chanceLabel({ test, p, pHolm }: PairedVerdict): string {
  if (p === null) return '';
  const name = test === 'student_t' ? ' (Student’s t)' : test === 'mcnemar_exact' ? ' (McNemar)' : '';
  return `, p ${writeChance(p)}${name}${holmLabel(p, pHolm)}`;
}

/** Only where other arms were counted too, and made a difference. */
function holmLabel(p: number, pHolm: number | null): string {
  return pHolm === null || writeChance(pHolm) === writeChance(p) ? '' : `, ${writeChance(pHolm)} after Holm`;
}

/** `, 95 % +0.01 to +0.10`; nothing where there is no interval. */
export function intervalLabel({ metric, low, high }: Pick<PairedVerdict, 'metric' | 'low' | 'high'>): string {
  if (low === null || high === null) return '';
  return `, 95 % ${differenceLabel(metric, low, false)} to ${differenceLabel(metric, high)}`;
}

/** A difference with its sign: of scores `+0.06`, of shares solved `+25 points`. What rounds to nothing has no sign. */
export function differenceLabel(metric: PairedVerdict['metric'], difference: number, withUnit = true): string {
  const shown = metric === 'score' ? Math.abs(difference).toFixed(2) : Math.abs(difference * 100).toFixed(0);
  const sign = Number(shown) === 0 ? '' : difference > 0 ? '+' : '−';
  return `${sign}${shown}${metric === 'solved' && withUnit ? ' points' : ''}`;
}

/**
 * The size of a true difference that as many cases would miss half the time: half the width of the interval. Null without one.
 * Source: at 50 % power the smallest detectable difference is the critical value times the standard error.
 */
export function missedHalfTheTime(results: readonly PairedVerdict[]): { n: number; words: string } | null {
  const widths = results.flatMap(({ metric, n, low, high }) =>
    low === null || high === null || high === low ? [] : [{ metric, n, half: (high - low) / 2 }],
  );
  const widest = widths.toSorted((one, other) => other.half - one.half)[0];
  if (widest === undefined) return null;
  const { metric, n, half } = widest;
  const size = metric === 'score' ? Math.max(0.01, half).toFixed(2) : `${Math.max(1, Math.round(half * 100))} points`;
  return { n, words: size };
}
