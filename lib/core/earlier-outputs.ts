import { bestVersion } from './best-version.ts';
import { comparedVersion } from './criterion.ts';
import type { Evaluation, History, Version } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

/** Outputs before a version: the previous one, and the one with the highest score so far. Null if there is none. */
export type EarlierOutputs = { previous: string | null; best: string | null };

export const NOTHING_EARLIER: EarlierOutputs = { previous: null, best: null };

/**
 * Returns the outputs that a version can be compared with. Only earlier versions count, even if it is judged again later. Versions that
 * were cut off do not.
 */
export function earlierOutputs(history: History, versionNumber: number): EarlierOutputs {
  const versions = history.versions.filter((version) => version.number < versionNumber && !version.interrupted);
  const best = bestVersion({ ...history, versions }, 'highest_score');
  return {
    previous: versions.at(-1)?.output ?? null,
    best: versions.find((version) => version.number === best)?.output ?? null,
  };
}

/**
 * Returns the evaluation that a version reuses from an earlier version of its run with byte-identical text, without a call or cost. It is
 * the effective evaluation of the earlier version, including scores by people or webhooks. Null if none is fully scored. Also null if a
 * criterion compares with the previous or best version, and that text is different now.
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
