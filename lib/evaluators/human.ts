import { WAITS_FOR_A_PERSON } from '#lib/core/criteria/human.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { type Evaluator, unscored } from './evaluator.ts';

/** Leaves its criteria to a reviewer. The loop waits for these scores after all other criteria are scored. */
export const humanEvaluator: Evaluator<'human'> = {
  kind: 'human',
  async evaluate({ criteria }) {
    return { ok: true, results: criteria.map(({ name }) => unscored(name, WAITS_FOR_A_PERSON)), spend: NO_SPEND };
  },
};
