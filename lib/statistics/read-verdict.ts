import type { MetricTest, Verdict } from './paired-verdict.ts';
import { writeChance } from './write-chance.ts';

type Judged = MetricTest & { pHolm: number | null; verdict: Verdict };

/** A verdict as a sentence with its numbers: direction by sign and by word. `tests`: how many arms are compared by the metric. */
export function readVerdict(result: Judged, tests: number): string {
  const { n, difference, arm, baseline } = result;
  if (difference === null || arm === null || baseline === null)
    return 'Nothing to compare: no case has it on both sides.';
  const [what, level] =
    result.metric === 'solved' ? ['solved', percent] : ['mean best score', (score: number) => score.toFixed(2)];
  const cases = `${result.better} better, ${result.worse} worse of ${n} ${n === 1 ? 'case' : 'cases'}`;
  const numbers = [`${change(result)}${bounds(result)}`, cases, ...chance(result, tests)].join('; ');
  return `${WORDS[result.verdict]}: ${what} ${level(arm)} against ${level(baseline)} (${numbers}).`;
}

const WORDS: Record<Verdict, string> = {
  better: 'Better than the baseline',
  worse: 'Worse than the baseline',
  within_noise: 'Within noise',
  too_few: 'Too few cases to tell',
};

const TEST_NAMES = {
  mcnemar_exact: 'McNemar’s exact test',
  paired_bootstrap: 'paired bootstrap',
  student_t: 'Student’s t on the differences',
} as const;

function change({ metric, difference }: Judged): string {
  const by = difference ?? 0;
  return metric === 'solved' ? `${signed(by * 100, 0)} points` : signed(by, 2);
}

function bounds({ metric, low, high }: Judged): string {
  if (low === null || high === null) return ', no interval';
  const [scale, decimals] = metric === 'solved' ? [100, 0] : [1, 2];
  return `, 95 % ${signed(low * scale, decimals)} to ${signed(high * scale, decimals)}`;
}

function chance({ test, p, pHolm, verdict }: Judged, tests: number): string[] {
  if (p === null || test === null) return [];
  const adjusted =
    tests > 1 && pHolm !== null && verdict !== 'too_few'
      ? `, ${writeChance(pHolm, 3)} with ${tests} arms counted (Holm)`
      : '';
  return [`${TEST_NAMES[test]} p ${writeChance(p, 3)}${adjusted}`];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** With its sign; what rounds to nothing has none. */
function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}
