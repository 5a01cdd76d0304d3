import type { RunRecord } from '#lib/core/run-record.ts';
import type { DecisionInput } from './run-actions.ts';

/**
 * Whether a decision that was refused can be sent once more as it is. The answer to a pause cannot: each is decided once. While a run waits
 * its bar sends the decision, to the pause there is by then.
 */
export function canSendAgain(input: Pick<DecisionInput, 'pauseId'>, run: Pick<RunRecord, 'status'>): boolean {
  return run.status !== 'waiting' && input.pauseId === undefined;
}
