import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/**
 * What is said of a run that has ended with versions of which none was scored, so that none is its best. Null for all others, and where a
 * person accepted one.
 */
export function unscoredEnd(
  { status, versions, bestVersion, convergenceReason }: RunRecord,
  mode: ExperimentSettings['mode'],
): string | null {
  const isEnded = status === 'finished' || status === 'stopped' || status === 'failed';
  const last = versions.at(-1);
  if (!isEnded || last === undefined || bestVersion !== null || convergenceReason === 'user_accepted') return null;
  const isCutOff = versions.every(({ interrupted }) => interrupted);
  const one = mode === 'retry' ? 'attempt' : 'draft';
  if (versions.length === 1)
    return isCutOff
      ? `The ${one} came to no end that could be scored, so there is no best version.`
      : 'The only version was not scored, so there is no best one.';
  const none = isCutOff ? `No ${one} came to an end that could be scored` : 'No version was scored';
  return `${none}, so none is the best: v${last.number} is only the last.`;
}
