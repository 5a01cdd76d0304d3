import { readArguments } from '#lib/core/agents/read-arguments.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';

/** What may be said while an agent waits to use a tool. Acts on the scores of earlier versions can go on beside it. */
const TAKEN: DecisionInput['decision'][] = ['allow', 'refuse', 'auto', 'stop', 'override', 'restore'];

/**
 * Why a decision cannot be taken on a run whose agent waits to use a tool, or why one on the use of a tool cannot be taken on a run that
 * waits for something else; null when there is nothing against it. Whether it names the right pause is looked at apart.
 */
export function toolUseRefusal(
  { decision, version, toolArguments }: DecisionInput,
  { history: { pause } }: Pick<StoredRun, 'history'>,
): Result<never> | null {
  const call = pause?.toolCall ?? null;
  const isOnTools = decision === 'allow' || decision === 'refuse';
  if (pause === null || call === null)
    return isOnTools ? fail('conflict', 'No agent of the run waits to use a tool.', 'decision') : null;
  if (!TAKEN.includes(decision))
    return fail(
      'conflict',
      `An agent waits to use ${call.tool}: allow or refuse it, leave it to the rules (auto: they refuse it), or stop the run.`,
      'decision',
    );
  if (isOnTools && version !== undefined && version !== pause.version)
    return fail('invalid', `version must be ${pause.version}, the one that the agent works towards.`, 'version');
  if (toolArguments !== undefined && readArguments(toolArguments) === null)
    return fail('invalid', `toolArguments must be a JSON object, as ${call.tool} takes it.`, 'toolArguments');
  return null;
}
