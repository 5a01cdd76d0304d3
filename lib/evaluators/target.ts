import { NO_SPEND } from '#lib/core/token-usage.ts';
import { criterionResult, type Evaluator, shortScore, unscored } from './evaluator.ts';

/** Uses the score that a target sent with its output. */
export const targetEvaluator: Evaluator<'target'> = {
  kind: 'target',
  async evaluate({ criteria, target }) {
    const score = target?.score ?? null;
    const results = criteria.map(({ name }) =>
      score === null
        ? unscored(name, 'Not scored. The target sent no score with this output.')
        : criterionResult({
            criterion: name,
            score,
            reason: `The target gave ${shortScore(score)}.`,
            feedback: `${name}: ${shortScore(score)} of 1`,
          }),
    );
    return { ok: true, results, spend: NO_SPEND };
  },
};
