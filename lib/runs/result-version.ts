import type { RunRecord } from '#lib/core/run-record.ts';

/**
 * The number of the version that is a run's result: the accepted one, else the best. Null where nobody accepted one and none was scored;
 * the final version is then only the last.
 */
export function resultVersion({
  convergenceReason,
  finalVersion,
  bestVersion,
}: Pick<RunRecord, 'convergenceReason' | 'finalVersion' | 'bestVersion'>): number | null {
  return convergenceReason === 'user_accepted' ? finalVersion : bestVersion;
}
