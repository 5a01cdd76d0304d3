import { formatMoney } from '#lib/format.ts';
import type { MonthUse } from '#lib/settings/schema.ts';

const DAY_MS = 86_400_000;
/** Number of days of a month before spending is projected. */
const FIRST_PACE_DAYS = 2;

/** Returns the state of a monthly budget: percentage used, a warning near or over the limit, and a projection. */
export function monthBudgetLabel(use: MonthUse, now: Date) {
  const { maxCostUsd, spentUsd, practiceUsd, warnAtPercent } = use;
  const [year = 1970, month = 1] = use.month.split('-').map(Number);
  const begin = Date.UTC(year, month - 1, 1);
  const end = Date.UTC(year, month, 1);
  const name = (style: 'long' | 'short') =>
    new Intl.DateTimeFormat('en-US', { month: style, timeZone: 'UTC' }).format(begin);
  const percent = maxCostUsd === null ? null : Math.floor((100 * spentUsd) / maxCostUsd);
  // Practice prices count toward the budget but are not billed.
  const billedUsd = isAllPractice(use) ? 0 : spentUsd - practiceUsd;
  const days = (now.getTime() - begin) / DAY_MS;
  const pace = days >= FIRST_PACE_DAYS && billedUsd > 0 ? (billedUsd * (end - begin)) / (now.getTime() - begin) : null;
  const lastDay = new Date(end - DAY_MS).getUTCDate();
  return {
    title: `${name('long')} budget`,
    billedUsd,
    percent,
    warning:
      percent === null || percent < warnAtPercent
        ? null
        : percent >= 100
          ? 'The budget is used up. Raise it or wait until next month.'
          : `${percent}% of the budget is used.`,
    notes: [
      practiceLabel(use),
      pace === null ? '' : `At this pace ${formatMoney(pace)} on ${lastDay} ${name('short')}.`,
      maxCostUsd === null ? 'No monthly budget is set.' : '',
      'Months start and end in UTC.',
    ].filter((note) => note !== ''),
  };
}

/** Tolerates rounding errors, because the sums may be added in a different order. */
function isAllPractice({ spentUsd, practiceUsd }: MonthUse): boolean {
  return practiceUsd >= spentUsd * (1 - 1e-9);
}

function practiceLabel(use: MonthUse): string {
  if (use.practiceUsd === 0) return '';
  if (isAllPractice(use)) return 'All costs use practice prices. Nothing was billed.';
  return `${formatMoney(use.practiceUsd)} more in practice prices was not billed.`;
}
