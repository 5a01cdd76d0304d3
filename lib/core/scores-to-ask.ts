import type { AskedScore, History } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * The scores of a version that a person is to give (only they can, or the judge was not sure and proposes one) and nobody has given yet,
 * in the order of the criteria. None while the
 * machine's own criteria are not all scored: a person is asked once the rest is known. None either once the version has a full
 * score, such as an override of the whole.
 */
export function scoresToAsk(
  history: History,
  settings: Pick<ExperimentSettings, 'criteria'>,
  version: number,
): AskedScore[] {
  const evaluation = effectiveEvaluation(history, version);
  if (evaluation === null || evaluation.status === 'scored') return [];
  const missing = settings.criteria.filter(({ name }) => (evaluation.criteriaScores[name] ?? null) === null);
  const asked = missing.flatMap((criterion): AskedScore[] => {
    const proposed = evaluation.proposed?.[criterion.name];
    if (criterion.evaluator === 'human')
      return [{ criterion: criterion.name, question: criterion.config.question || null }];
    return proposed === undefined ? [] : [{ criterion: criterion.name, question: null, proposed }];
  });
  return asked.length === missing.length ? asked : [];
}
