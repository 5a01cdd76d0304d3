import { earlierOutputs } from './earlier-outputs.ts';
import type { Evaluation, History, Version } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

/**
 * The evaluation that a version keeps from an earlier one of its run with the very same text, byte by byte: no call, no cost. It is
 * the one that counts for the earlier version, so scores that people or webhooks gave stand too. Null where there is none that is
 * fully scored, and where a criterion compares with the version before or the best one, and that is another text than it was then.
 */
export function retainedScore(
  history: History,
  { criteria }: Pick<ExperimentSettings, 'criteria'>,
  version: Version,
): Omit<Evaluation, 'createdAt' | 'step'> | null {
  const source = history.versions.findLast(
    (earlier) =>
      earlier.number < version.number &&
      !earlier.interrupted &&
      !earlier.outputDropped &&
      earlier.output === version.output &&
      effectiveEvaluation(history, earlier.number)?.status === 'scored',
  );
  const evaluation = source === undefined ? null : effectiveEvaluation(history, source.number);
  if (source === undefined || evaluation === null) return null;
  const [then, now] = [earlierOutputs(history, source.number), earlierOutputs(history, version.number)];
  const isComparedAlike = criteria.every((criterion) => {
    if (criterion.evaluator !== 'comparison' || criterion.config.against === 'reference') return true;
    return then[criterion.config.against] === now[criterion.config.against];
  });
  return isComparedAlike ? { ...evaluation, ...NO_SPEND, version: version.number, copiedFrom: source.number } : null;
}
