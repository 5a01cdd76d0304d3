import { z } from 'zod';
import type { TimedContext } from '#lib/context/app-context.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { findMonthBudget, findSetting, MONTH_BUDGET_SETTING } from '#lib/settings/installation-settings.ts';
import { beginOfMonth, type MonthUse, monthBudgetSchema } from '#lib/settings/schema.ts';

/** Budgets beyond that of a single run. Null if not set. */
export type BudgetLimits = {
  monthCostUsd: number | null;
  experimentCostUsd: number | null;
  experimentTokens: number | null;
};

const budgetSchema = z.object({
  budget: z.object({ maxExperimentCostUsd: z.number().nullish(), maxExperimentTokens: z.number().nullish() }).nullish(),
});

/** Returns the month's budget and that of the experiment's newest settings, so that raising it lets runs of older settings continue. */
export async function findBudgetLimits({ prisma }: DatabaseClient, experimentId: string | null): Promise<BudgetLimits> {
  const [month, newest] = await Promise.all([
    findSetting({ prisma }, MONTH_BUDGET_SETTING),
    experimentId === null
      ? null
      : prisma.experimentVersion.findFirst({
          where: { experimentId },
          orderBy: { version: 'desc' },
          select: { settings: true },
        }),
  ]);
  const budget = newest === null ? null : budgetSchema.parse(newest.settings).budget;
  return {
    monthCostUsd: month?.value.maxCostUsd ?? null,
    experimentCostUsd: budget?.maxExperimentCostUsd ?? null,
    experimentTokens: budget?.maxExperimentTokens ?? null,
  };
}

/** Maximum number of experiments listed by name. */
const MAX_NAMED_EXPERIMENTS = 5;

const sumRow = z.object({ id: z.string().nullable(), cost: z.number(), practice: z.number(), unpriced: z.int() });

const BY_EXPERIMENT = `
  SELECT r.experiment_id AS id, coalesce(sum(c.cost), 0)::float8 AS cost, coalesce(sum(c.practice), 0)::float8 AS practice,
    coalesce(sum(c.unpriced), 0)::int AS unpriced
  FROM (SELECT run_id, sum(cost_usd) AS cost, sum(cost_usd) FILTER (WHERE provider = 'practice') AS practice,
      count(*) FILTER (WHERE cost_usd IS NULL AND attempts > 0) AS unpriced
    FROM model_calls WHERE created_at >= $1 GROUP BY run_id) c JOIN runs r ON r.id = c.run_id GROUP BY r.experiment_id
  UNION ALL
  SELECT NULL, coalesce(sum(cost_usd), 0)::float8, coalesce(sum(cost_usd) FILTER (WHERE provider = 'practice'), 0)::float8,
    coalesce(sum(unpriced_calls), 0)::int
  FROM other_spend WHERE created_at >= $1`;

/** Returns the month's budget and the total cost in the calendar month of `now`. */
export async function findMonthUse(database: Database, now: Date): Promise<MonthUse> {
  const since = beginOfMonth(now);
  const [setting, { rows }] = await Promise.all([
    findSetting(database, MONTH_BUDGET_SETTING),
    database.pool.query<Record<string, unknown>>(BY_EXPERIMENT, [since]),
  ]);
  const sums = rows.map((row) => sumRow.parse(row));
  const total = (value: (sum: z.infer<typeof sumRow>) => number) => sums.reduce((sum, one) => sum + value(one), 0);
  const largest = sums
    .flatMap(({ id, cost }) => (id === null || cost === 0 ? [] : [{ id, cost }]))
    .sort((one, other) => other.cost - one.cost)
    .slice(0, MAX_NAMED_EXPERIMENTS);
  const named = await database.prisma.experiment.findMany({
    where: { id: { in: largest.map(({ id }) => id) } },
    select: { id: true, name: true },
  });
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  return {
    ...(setting?.value ?? monthBudgetSchema.parse({})),
    month: since.toISOString().slice(0, 7),
    spentUsd: total(({ cost }) => cost),
    practiceUsd: total(({ practice }) => practice),
    unpricedCalls: total(({ unpriced }) => unpriced),
    experiments: largest.map(({ id, cost }) => ({ id, name: nameOf.get(id) ?? '', spentUsd: cost })),
    otherUsd: sums.find(({ id }) => id === null)?.cost ?? 0,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
  };
}

/** Amounts spent on models. Calls without a known price cost nothing here. */
type Spent = { costUsd: number; tokens: number };

const spentRow = z.object({ costUsd: z.number(), tokens: z.number() });

/** Returns the amounts spent by all runs of an experiment, including failed and deleted ones and calls outside their loops. */
export async function spentByExperiment({ pool }: Pick<Database, 'pool'>, experimentId: string): Promise<Spent> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'spent-by-experiment',
    text: `SELECT (r.cost + o.cost)::float8 AS "costUsd", (r.tokens + o.tokens)::float8 AS tokens FROM
      (SELECT coalesce(sum(cost_usd + aside_cost_usd), 0) AS cost, coalesce(sum(input_tokens::bigint + output_tokens + aside_tokens), 0) AS tokens
        FROM runs WHERE experiment_id = $1) r,
      (SELECT coalesce(sum(cost_usd), 0) AS cost, coalesce(sum(input_tokens::bigint + output_tokens), 0) AS tokens
        FROM other_spend WHERE experiment_id = $1) o`,
    values: [experimentId],
  });
  return spentRow.parse(rows[0]);
}

/**
 * Returns the total spent since a time, in US dollars. Uses one statement, so that concurrent inserts cannot count in one sum and be
 * missing in the other.
 */
export async function spentSince({ pool }: Pick<Database, 'pool'>, since: Date): Promise<number> {
  // Not a prepared statement: a generic plan would scan the whole table, a plan for this time uses an index. That of calls has only those
  // that cost something.
  const { rows } = await pool.query<{ costUsd: number }>(
    `SELECT ((SELECT coalesce(sum(cost_usd), 0) FROM model_calls WHERE created_at >= $1 AND cost_usd <> 0)
      + (SELECT coalesce(sum(cost_usd), 0) FROM other_spend WHERE created_at >= $1))::float8 AS "costUsd"`,
    [since],
  );
  return rows[0]?.costUsd ?? 0;
}

/** An experiment or month budget that is nearly or completely used up: `spent` of `limit` dollars or tokens. */
export type BudgetWarning = { budget: 'month' | 'experiment'; unit: 'usd' | 'tokens'; spent: number; limit: number };

/** Share of an experiment's budget at which a warning starts. */
const WARN_AT = 0.8;

/** Returns the budgets for an experiment's runs that are nearly used up. Sums are computed only if a budget is set. */
export async function findBudgetWarnings(
  { database, now }: TimedContext,
  experimentId: string,
): Promise<BudgetWarning[]> {
  const { monthCostUsd, experimentCostUsd, experimentTokens } = await findBudgetLimits(database, experimentId);
  const warnings: BudgetWarning[] = [];
  if (experimentCostUsd !== null || experimentTokens !== null) {
    const { costUsd, tokens } = await spentByExperiment(database, experimentId);
    if (experimentCostUsd !== null && costUsd >= WARN_AT * experimentCostUsd)
      warnings.push({ budget: 'experiment', unit: 'usd', spent: costUsd, limit: experimentCostUsd });
    if (experimentTokens !== null && tokens >= WARN_AT * experimentTokens)
      warnings.push({ budget: 'experiment', unit: 'tokens', spent: tokens, limit: experimentTokens });
  }
  if (monthCostUsd !== null) {
    const spent = await spentSince(database, beginOfMonth(now()));
    const { warnAtPercent } = await findMonthBudget(database);
    if (spent >= (warnAtPercent / 100) * monthCostUsd)
      warnings.push({ budget: 'month', unit: 'usd', spent, limit: monthCostUsd });
  }
  return warnings;
}
