import { fail, type Result } from '#lib/core/problem.ts';
import { quotesReference } from '#lib/evaluators/quotes-reference.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';

type Told = Pick<DecisionInput, 'decision' | 'pauseId' | 'guidance' | 'reason' | 'toolArguments'>;

/**
 * Why a decision cannot be a webhook's, where a person's could be taken: it answers the pause it was asked about and nothing else,
 * and what it writes to models must not give away the reference that it was told. Null when there is nothing against it.
 */
export function webhookRefusal(
  { decision, pauseId, guidance, reason, toolArguments }: Told,
  { run, history }: Pick<StoredRun, 'run' | 'history'>,
): Result<never> | null {
  if (pauseId === undefined || pauseId !== history.pause?.pauseId)
    return fail('conflict', 'The run does not wait at this pause any more.', 'pauseId');
  if (guidance !== undefined && quotesReference(guidance, run.reference))
    return fail('invalid', 'guidance quotes the reference, which the models must not be told.', 'guidance');
  if (history.pause.toolCall === null) return null;
  if (decision === 'override' || decision === 'restore')
    return fail('conflict', 'An agent waits to use a tool: no score is asked for.', 'decision');
  if (decision === 'refuse' && reason !== null && quotesReference(reason, run.reference))
    return fail('invalid', 'reason quotes the reference, which the models must not be told.', 'reason');
  if (toolArguments !== undefined && quotesReference(toolArguments, run.reference))
    return fail('invalid', 'toolArguments quotes the reference, which the models must not be told.', 'toolArguments');
  return null;
}
