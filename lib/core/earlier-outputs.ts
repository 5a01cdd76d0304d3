import { bestVersion } from './best-version.ts';
import { comparedVersion } from './criterion.ts';
import type { Evaluation, History, Version } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

/** What was made before a version: the output just before it, and the one with the highest score so far; null where there is none. */
export type EarlierOutputs = { previous: string | null; best: string | null };

export const NOTHING_EARLIER: EarlierOutputs = { previous: null, best: null };

/** The outputs a version can be compared with. Only versions before it count, however late it is judged again; cut-off ones do not. */
export function earlierOutputs(history: History, versionNumber: number): EarlierOutputs {
  const versions = history.versions.filter((version) => version.number < versionNumber && !version.interrupted);
  const best = bestVersion({ ...history, versions }, 'highest_score');
  return {
    previous: versions.at(-1)?.output ?? null,
    best: versions.find((version) => version.number === best)?.output ?? null,
  };
}

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
    const against = comparedVersion(criterion);
    return against === null || then[against] === now[against];
  });
  return isComparedAlike ? { ...evaluation, ...NO_SPEND, version: version.number, copiedFrom: source.number } : null;
}
