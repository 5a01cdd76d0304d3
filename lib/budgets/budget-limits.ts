import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { monthBudgetSchema } from '#lib/settings/month-budget.ts';

/** What holds calls back beyond their run: null where it is not set. */
export type BudgetLimits = {
  monthCostUsd: number | null;
  experimentCostUsd: number | null;
  experimentTokens: number | null;
};

const experimentColumn = z.looseObject({
  maxExperimentCostUsd: z.number().nullish(),
  maxExperimentTokens: z.number().nullish(),
});
const limitsRow = z.object({ month: monthBudgetSchema.nullable(), experiment: experimentColumn.nullable() });

/** The month's budget, and that of an experiment by its newest settings: raising it lets runs of older ones go on. */
export async function findBudgetLimits(
  { pool }: Pick<Database, 'pool'>,
  experimentId: string | null,
): Promise<BudgetLimits> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'find-budget-limits',
    text: `SELECT (SELECT value FROM installation_settings WHERE key = 'month_budget') AS month,
      (SELECT settings->'budget' FROM experiment_versions WHERE experiment_id = $1 ORDER BY version DESC LIMIT 1) AS experiment`,
    values: [experimentId],
  });
  const { month, experiment } = limitsRow.parse(rows[0]);
  return {
    monthCostUsd: month?.maxCostUsd ?? null,
    experimentCostUsd: experiment?.maxExperimentCostUsd ?? null,
    experimentTokens: experiment?.maxExperimentTokens ?? null,
  };
}
