import type { BudgetLimits } from '#lib/db/budget-limits.ts';
import type { Database } from '#lib/db/database.ts';
import { spentByExperiment, spentSince } from '#lib/db/spent.ts';
import { formatCount, formatMoney } from '#lib/format.ts';
import type { ModelFailure } from '#lib/models/model-caller.ts';
import { beginOfMonth, nextMonth } from '#lib/reflection/month-budget.ts';
import type { CallEstimate } from './estimate-call.ts';
import type { Hold, SpendLedger } from './spend-ledger.ts';

type Asked = {
  database: Database;
  ledger: SpendLedger;
  limits: BudgetLimits;
  hold: Hold;
  estimate: CallEstimate;
  now: Date;
};

/** How often the rows are summed again because calls were kept meanwhile. */
const MOST_READS = 3;

/**
 * Why a call must not be made: with it, the rows of what was spent and the calls of this process that began before it, a budget would
 * probably be passed. Null where it may be made. What has no known price costs nothing here.
 */
export async function overBudget(asked: Asked): Promise<ModelFailure | null> {
  const { database, ledger, limits, hold, estimate, now } = asked;
  const { experimentId } = hold;
  const costUsd = estimate.costUsd ?? 0;
  const watchesExperiment = limits.experimentCostUsd !== null || limits.experimentTokens !== null;
  for (let reads = 1; ; reads++) {
    const { released } = ledger;
    const experiment =
      experimentId !== null && watchesExperiment ? await spentByExperiment(database, experimentId) : null;
    const monthUsd = limits.monthCostUsd !== null ? await spentSince(database, beginOfMonth(now)) : 0;
    // A call that was kept meanwhile may stand in the rows and among the holds, or in neither.
    if (ledger.released !== released && reads < MOST_READS) continue;
    const before = heldBefore(ledger, hold);
    if (experiment !== null) {
      const own = before.filter((other) => other.experimentId === experimentId);
      const tokens = experiment.tokens + sum(own, (other) => other.tokens);
      if (limits.experimentTokens !== null && tokens + estimate.tokens > limits.experimentTokens)
        return refusal('experiment_budget', {
          message: `The experiment's budget of ${formatCount(limits.experimentTokens)} tokens is used up: its runs took ${formatCount(tokens)}, and this call may take about ${formatCount(estimate.tokens)}.`,
          remedy: 'Raise the tokens of the experiment in its settings, then resume the run.',
        });
      const spent = experiment.costUsd + sum(own, (other) => other.costUsd);
      if (passes(spent, costUsd, limits.experimentCostUsd))
        return refusal('experiment_budget', {
          message: `The experiment's budget of ${formatMoney(limits.experimentCostUsd)} is used up: its runs cost ${formatMoney(spent)}, and this call may cost about ${formatMoney(costUsd)}.`,
          remedy: 'Raise the budget of the experiment in its settings, then resume the run.',
        });
    }
    const spent = monthUsd + sum(before, (other) => other.costUsd);
    if (passes(spent, costUsd, limits.monthCostUsd))
      return refusal('month_budget', {
        message: `The month's budget of ${formatMoney(limits.monthCostUsd)} is used up: ${formatMoney(spent)} spent, and this call may cost about ${formatMoney(costUsd)}.`,
        remedy: `Raise it on the Models page, or wait for ${nextMonth(now)} (UTC); then resume the run.`,
      });
    return null;
  }
}

/** What costs nothing is never held back by a budget of money. Sums such as 0.1 + 0.2 come out a little high in floating point. */
function passes(spent: number, costUsd: number, limit: number | null): limit is number {
  return limit !== null && costUsd > 0 && spent + costUsd - limit > 1e-9 * limit;
}

function heldBefore({ holds }: SpendLedger, own: Hold): Hold[] {
  const before: Hold[] = [];
  for (const hold of holds) {
    if (hold === own) break;
    before.push(hold);
  }
  return before;
}

function sum(holds: Hold[], value: (hold: Hold) => number): number {
  return holds.reduce((total, hold) => total + value(hold), 0);
}

function refusal(
  kind: 'experiment_budget' | 'month_budget',
  { message, remedy }: Pick<ModelFailure, 'message' | 'remedy'>,
): ModelFailure {
  const tokenUsage = { input: 0, output: 0, total: 0 };
  return { kind, message, remedy, status: null, attempts: 0, latencyMs: 0, tokenUsage, costUsd: 0 };
}
