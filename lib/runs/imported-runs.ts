import type { Criterion } from '#lib/core/criterion.ts';

/** The provider that the models of imported runs stand under: there is none of this name, so nothing can be asked of it. */
export const IMPORTED_PROVIDER = 'imported';

/** What the one criterion of runs that another system scored says of itself. */
export const SCORED_ELSEWHERE = 'Scored where the runs come from';

/** Whether a criterion only stands for how another system scored its runs: no person is asked for it, though it is of their kind. */
export function isScoredElsewhere(criterion: Pick<Criterion, 'evaluator'> & { config?: unknown }): boolean {
  const { evaluator, config } = criterion;
  if (evaluator !== 'human' || typeof config !== 'object' || config === null) return false;
  return 'question' in config && config.question === SCORED_ELSEWHERE;
}
