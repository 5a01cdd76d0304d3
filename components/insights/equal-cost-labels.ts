import { formatCount, formatMoney, formatNumberOf } from '#lib/format.ts';
import type { EqualCostPanel } from '#lib/insights/schema.ts';
import { writeChance } from '#lib/statistics/write-chance.ts';

/** What was spent, in dollars or tokens. */
export function formatSpend(spend: number, unit: EqualCostPanel['unit']): string {
  return unit === 'usd' ? formatMoney(spend) : `${formatCount(spend)} tokens`;
}

type EqualCostLabel = { verdict: string; tone: 'better' | 'worse' | undefined; because: string; more: string };

/** The verdict on reflection in words, with what it goes by; a colour only where noise can't have made it. */
export function equalCostLabel({
  verdict,
  onlyReflection,
  onlyFresh,
  p,
  cases,
  moreCases,
}: EqualCostPanel): EqualCostLabel {
  const because = `Reflection solves ${onlyReflection} that fresh drafts don’t, and misses ${onlyFresh} they solve; McNemar p ${writeChance(p, p < 0.1 ? 3 : 2)}, ${formatNumberOf(cases, 'case')}.`;
  const more =
    moreCases === null
      ? ''
      : `About ${formatNumberOf(moreCases, 'more case', 'more cases')} would show a lead of this size.`;
  switch (verdict) {
    case 'better':
      return { verdict: '▲ Better than fresh drafts.', tone: 'better', because, more };
    case 'worse':
      return { verdict: '▼ Worse than fresh drafts.', tone: 'worse', because, more };
    case 'within_noise':
      return { verdict: 'Within noise.', tone: undefined, because, more };
    case 'too_few':
      return { verdict: 'Too few cases to tell.', tone: undefined, because, more };
  }
}
