import { formatMoney, formatNumberOf } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';

/** From so many times the middle one on, a cost stands out. */
const DEAR = 5;

/** Whether an experiment pays far more for a point than most do; `costs` from the cheapest on. */
export function isDear(perPoint: number, costs: readonly { perPoint: number }[]): boolean {
  const middle = costs[Math.floor((costs.length - 1) / 2)]?.perPoint ?? 0;
  return costs.length > 2 && middle > 0 && perPoint >= DEAR * middle;
}

/** What is to be said of the costs, in a few sentences. */
export function costLabel({ costs, cost, ended }: Pick<InsightsReport, 'costs' | 'cost' | 'ended'>): string {
  const priced = costs.flatMap((one) => (one.perPointUsd === null ? [] : [{ ...one, perPoint: one.perPointUsd }]));
  const [cheapest, dearest] = [priced[0], priced.at(-1)];
  const none = costs.length - priced.length;
  return [
    cheapest && dearest && isDear(dearest.perPoint, priced)
      ? `${dearest.name} pays ${Math.round(dearest.perPoint / cheapest.perPoint)} times as much for a point as ${cheapest.name}${dearest.solved === 0 ? ': nothing there was ever solved' : ''}.`
      : '',
    priced.length === 0 && costs.length > 0 ? 'Nothing was gained, so no point has a cost.' : '',
    priced.length > 0 && none > 0 ? `${formatNumberOf(none, 'experiment')} gained nothing.` : '',
    cost.perSolvedUsd === null
      ? ended > 0
        ? 'No run was solved, so a success has no cost.'
        : ''
      : `A success costs ${formatMoney(cost.perSolvedUsd)} over all, ${formatMoney(cost.costUsd)} for ${formatNumberOf(cost.solved, 'solved run')}.`,
    cost.unpriced ? 'Some calls have no known price: costs are at least these.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
