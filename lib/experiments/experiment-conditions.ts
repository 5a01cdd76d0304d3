import { LEAST_RUNS, PASSING_SHARE } from '#lib/statistics/experiment-flags.ts';
import type { ExperimentFilter, ExperimentSort, ExperimentState } from './experiment-list.ts';

/** Whether the practice model plays any part in settings `v`. */
const IS_PRACTICE = `'practice' IN (v.settings->'generator'->>'provider', v.settings->'reflectionModel'->>'provider',
  v.settings->'evaluatorModel'->>'provider', v.settings->'embeddingModel'->>'provider', v.settings->'lessons'->'embeddings'->>'provider',
  v.settings->'lessons'->'check'->>'provider')`;

const STATES: Record<ExperimentState, string> = {
  waiting: 't.waiting > 0',
  under_way: 't."underWay" > 0',
  flagged: `(t.unscorable >= ${LEAST_RUNS} OR (t.judged >= ${LEAST_RUNS} AND (t.ever = 0 OR t.first * 100 >= t.judged * ${PASSING_SHARE * 100})))`,
};

/** What each order sorts by; ties are the newest first. */
export const EXPERIMENT_ORDERS: Record<Exclude<ExperimentSort, 'newest'>, string> = {
  needs_you: 't.waiting > 0 DESC, t."lastRunAt" DESC NULLS LAST',
  last_run: 't."lastRunAt" DESC NULLS LAST',
  success: 't.solved::float8 / nullif(t.ended, 0) DESC NULLS LAST',
  best_score: 't.best DESC NULLS LAST',
  cost_per_point: 'CASE WHEN t.gained > 0 THEN t."costUsd" / t.gained END ASC NULLS LAST',
  name: 'lower(x.name)',
};

/**
 * The conditions of a filter over `x` = experiments, `v` = their latest version, `t` = the sums over their runs; what they compare with is
 * added to `values`.
 */
export function experimentConditions(filter: ExperimentFilter, values: unknown[]): string[] {
  const conditions: string[] = [];
  const where = (condition: string, value: unknown) => {
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  const { search, mode, model, origin, models, state } = filter;
  if (search !== '')
    where(
      "x.name ILIKE '%' || ? || '%'",
      search.replace(/[\\%_]/g, (special) => `\\${special}`),
    );
  if (mode !== null) where("v.settings->>'mode' = ?", mode);
  if (model !== null) where("v.settings->'generator'->>'model' = ?", model);
  if (origin === 'sample') conditions.push('x.sample');
  else if (origin !== null) where('NOT x.sample AND x.origin = ?', origin);
  if (models !== null) conditions.push(models === 'practice' ? IS_PRACTICE : `(${IS_PRACTICE}) IS NOT TRUE`);
  if (state !== null) conditions.push(STATES[state]);
  return conditions;
}
