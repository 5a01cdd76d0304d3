import { readArguments } from '#lib/core/agents/read-arguments.ts';
import { decisionKind, decisionsWith } from '#lib/core/decision-kinds.ts';
import type { History } from '#lib/core/history.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { quotesReference } from '#lib/evaluators/quotes-reference.ts';
import { formatMoment } from '#lib/format.ts';
import { editRefusal, scoreRefusal } from './decide-edit.ts';
import { decidedVersion } from './decided-version.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';
import { tuningRefusal } from './tuning-refusal.ts';

/** What may be said while an agent waits to use a tool. Acts on the scores of earlier versions can go on beside it. */
const TAKEN = decisionsWith(({ atToolUse }) => atToolUse === true);

/**
 * Why a decision cannot be taken on a run whose agent waits to use a tool, or why one on the use of a tool cannot be taken on a run that
 * waits for something else; null when there is nothing against it. Whether it names the right pause is looked at apart.
 */
function toolUseRefusal(
  { decision, version, toolArguments }: DecisionInput,
  { history: { pause } }: Pick<StoredRun, 'history'>,
): Result<never> | null {
  const call = pause?.toolCall ?? null;
  const isOnTools = decisionKind(decision).act === 'tool_use';
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

/** Why a run cannot take a decision as it stands; null when it can. What the decision lacks in itself is looked at before. */
export function decisionRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  const { run, history, settings } = stored;
  const ended = run.status === 'finished' || run.status === 'failed' || run.status === 'stopped';
  const { act, needsPause, revisesOnly } = decisionKind(input.decision);
  const isOnTools = act === 'tool_use';
  if (!isOnTools && input.version !== undefined && history.versions[input.version] === undefined) {
    return fail(
      'invalid',
      `version ${input.version} does not exist: the run has versions 0 to ${history.versions.length - 1}.`,
      'version',
    );
  }
  if (input.decision === 'restore') return null;
  if (input.decision === 'override') {
    const refusal = tuningRefusal(input, stored);
    if (refusal !== null) return refusal;
    if (input.score === undefined) return fail('invalid', 'score must be a number from 0 to 1', 'score');
    if (input.criterion !== undefined && !settings.criteria.some((criterion) => criterion.name === input.criterion)) {
      return fail(
        'invalid',
        `criterion must be one of ${settings.criteria.map((criterion) => criterion.name).join(', ')}`,
        'criterion',
      );
    }
    return null;
  }
  if (input.pauseId !== undefined && input.pauseId !== history.pause?.pauseId) return staleOf(input.pauseId, history);
  if (input.decision === 'score' && history.pause === null)
    return fail('conflict', 'The run does not wait for a score. Override one to change it.');
  if (history.pause !== null && input.pauseId === undefined)
    return fail(
      'conflict',
      'The run waits for a decision: name its pauseId, so that nobody decides on something they did not see.',
      'pauseId',
    );
  if (input.decision === 'score') return toolUseRefusal(input, stored) ?? scoreRefusal(input, history);
  if (history.pause === null && needsPause) return fail('conflict', 'The run does not wait for a decision.');
  const refusal = toolUseRefusal(input, stored) ?? tuningRefusal(input, stored);
  if (refusal !== null) return refusal;
  if (revisesOnly && settings.mode === 'retry')
    return fail('conflict', 'Each attempt of this run starts afresh: there is no version to go back to.', 'decision');
  const isLast = input.version === history.versions.at(-1)?.number;
  // The next proposal of a tuned prompt need not start from the last one: to go back to it says something.
  if (input.decision === 'revert' && isLast && settings.mode !== 'tune')
    return fail('invalid', `version ${input.version} is the last one already: continue, or revise it.`, 'version');
  if (input.decision === 'auto' && history.pause !== null && history.pause.asks.length > 0)
    return fail('conflict', 'The rules cannot go on without the scores that are asked for. Give them, or continue.');
  if (act === 'hand_written') return editRefusal(input, stored);
  if (input.decision === 'stop' && ended)
    return fail('conflict', `The run has ended already (${run.convergenceReason}).`);
  const wanted = input.decision === 'accept' ? decidedVersion(input, { run, history }) : null;
  if (history.versions.some(({ number, outputDropped }) => number === wanted && outputDropped))
    return fail(
      'conflict',
      `The text of version ${wanted} was not kept when the run ended, so it cannot be accepted.`,
      'version',
    );
  if (input.decision === 'accept' && history.versions.length === 0)
    return fail('conflict', 'The run has no version yet that could be accepted.');
  return null;
}

function staleOf(pauseId: string, history: History): Result<never> {
  const made = history.decisions.findLast((decision) => decision.pauseId === pauseId);
  if (made === undefined) return fail('conflict', 'The run does not wait at this pause. Load it again.', 'pauseId');
  return fail(
    'conflict',
    `This pause was decided already: ${made.decision} by ${made.actor ?? made.by}, ${formatMoment(made.at)}.`,
    'pauseId',
  );
}

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
  if (decisionKind(decision).act === 'score_change')
    return fail('conflict', 'An agent waits to use a tool: no score is asked for.', 'decision');
  if (decision === 'refuse' && reason !== null && quotesReference(reason, run.reference))
    return fail('invalid', 'reason quotes the reference, which the models must not be told.', 'reason');
  if (toolArguments !== undefined && quotesReference(toolArguments, run.reference))
    return fail('invalid', 'toolArguments quotes the reference, which the models must not be told.', 'toolArguments');
  return null;
}
