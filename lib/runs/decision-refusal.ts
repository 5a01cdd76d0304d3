import type { History } from '#lib/core/history.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { formatMoment } from '#lib/format.ts';
import { editRefusal } from './decide-edit.ts';
import { scoreRefusal } from './decide-score.ts';
import { decidedVersion } from './decided-version.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';
import { toolUseRefusal } from './tool-use-refusal.ts';
import { tuningRefusal } from './tuning-refusal.ts';

/** Verdicts and acts that answer a pause; `accept`, `stop`, `override` and `restore` are also taken without one. */
const NEEDS_A_PAUSE: DecisionInput['decision'][] = [
  'continue',
  'revise',
  'revert',
  'auto',
  'allow',
  'refuse',
  'edit',
  'merge',
];

/** Why a run cannot take a decision as it stands; null when it can. What the decision lacks in itself is looked at before. */
export function decisionRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  const { run, history, settings } = stored;
  const ended = run.status === 'finished' || run.status === 'failed' || run.status === 'stopped';
  const isOnTools = input.decision === 'allow' || input.decision === 'refuse';
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
  if (history.pause === null && NEEDS_A_PAUSE.includes(input.decision))
    return fail('conflict', 'The run does not wait for a decision.');
  const refusal = toolUseRefusal(input, stored) ?? tuningRefusal(input, stored);
  if (refusal !== null) return refusal;
  if (input.decision === 'revert' && settings.mode === 'retry')
    return fail('conflict', 'Each attempt of this run starts afresh: there is no version to go back to.', 'decision');
  const isLast = input.version === history.versions.at(-1)?.number;
  // The next proposal of a tuned prompt need not start from the last one: to go back to it says something.
  if (input.decision === 'revert' && isLast && settings.mode !== 'tune')
    return fail('invalid', `version ${input.version} is the last one already: continue, or revise it.`, 'version');
  if (input.decision === 'auto' && history.pause !== null && history.pause.asks.length > 0)
    return fail('conflict', 'The rules cannot go on without the scores that are asked for. Give them, or continue.');
  if (input.decision === 'edit' || input.decision === 'merge') return editRefusal(input, stored);
  if (input.decision === 'stop' && ended)
    return fail('conflict', `The run has ended already (${run.convergence_reason}).`);
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
