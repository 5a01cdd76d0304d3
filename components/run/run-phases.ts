import { DELEGATE_TOOL, MAIN_AGENT } from '#lib/core/agents/agent-names.ts';
import { decisionKind } from '#lib/core/decision-kinds.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatList, formatNumberOf, formatScore } from '#lib/format.ts';
import { delegationOf } from './agents/agent-labels.ts';
import type { LiveRole } from './live-text-store.ts';
import { currentEvaluation, currentScore } from './run-versions.ts';

type RunPhase = { label: string; state: 'done' | 'now' | 'next' };

/**
 * Returns the last, current and next phase of a run in progress, or an empty list for any other run. `role` is the role of the call that is
 * streaming. If it is null, the current phase is derived from the record.
 */
export function runPhases(record: RunRecord, settings: ExperimentSettings, role: LiveRole | null): RunPhase[] {
  if (record.status === 'queued') return [{ label: 'Queued', state: 'now' }];
  if (record.status !== 'running') return [];
  const last = record.versions.at(-1);
  const retry = settings.mode === 'retry';
  const doing = agentActivityLabel(record);
  if (last === undefined)
    return [now(`${retry ? `Attempt 1 of ${settings.maxAttempts}` : 'First draft'}${doing}`), next('Judge')];
  const evaluation = currentEvaluation(last);
  const made: RunPhase = done(`${retry ? `Attempt ${last.number + 1}` : `v${last.number}`} made`);
  if (evaluation === null && isPassedOver(record)) {
    const count = record.versions.length;
    return [
      made,
      now(retry ? `Attempt ${count + 1} of ${settings.maxAttempts}${doing}` : `Revise to v${count}`),
      next('Judge'),
    ];
  }
  if (last.interrupted) {
    const attempt = retry ? `Attempt ${last.number + 2} of ${settings.maxAttempts}` : 'Another draft';
    return [
      done(`${retry ? `Attempt ${last.number + 1}` : `v${last.number}`} cut off`),
      now(`${attempt}${doing}`),
      next('Judge'),
    ];
  }
  if (evaluation === null || role === 'evaluate')
    return [made, now(`Judge v${last.number}`), next(retry ? 'Lesson' : 'Critique')];
  const score = currentScore(last);
  const judged = done(`Judge v${last.number}, ${formatScore(score)}`);
  const following = record.versions.length;
  const isAtEnd = !retry || evaluation.satisfactory || following >= settings.maxAttempts;
  if (role === 'lesson' && isAtEnd) return [judged, now('Reflection on the run'), next('The end')];
  if (retry) {
    const lesson = record.lessons.some(({ version }) => version === last.number);
    const attempt = `Attempt ${following + 1} of ${settings.maxAttempts}`;
    return lesson || role === 'generate' || role === 'turn' || doing !== ''
      ? [judged, ...(lesson ? [done('Lesson written')] : []), now(`${attempt}${doing}`), next('Judge')]
      : [judged, now(`Lesson from v${last.number}`), next(attempt)];
  }
  return last.critiques.length > 0 || role === 'revise'
    ? [
        judged,
        done(`Critique, ${formatNumberOf(evaluation.issues.length, 'issue')}`),
        now(`Revise to v${following}`),
        next('Judge'),
      ]
    : [judged, now(`Critique of v${last.number}`), next(`Revise to v${following}`)];
}

/** True if the last version stays without an evaluation because a person requested another one. */
function isPassedOver({ decisions, versions }: RunRecord): boolean {
  const last = decisions.at(-1);
  return (
    last !== undefined &&
    decisionKind(last.decision).guidesRevision === true &&
    last.hook !== 'onReflection' &&
    last.seen?.versions === versions.length
  );
}

function done(label: string): RunPhase {
  return { label, state: 'done' };
}
function now(label: string): RunPhase {
  return { label, state: 'now' };
}
function next(label: string): RunPhase {
  return { label, state: 'next' };
}

/**
 * Returns the current activity of the agent as a suffix: `, turn 4`, `, turn 3: uses calculator`, `, turn 1: reader at work`. Returns an
 * empty string if no agent is running or it is in its first turn.
 */
function agentActivityLabel({
  turns,
  observations,
  versions,
}: Pick<RunRecord, 'turns' | 'observations' | 'versions'>): string {
  const towards = versions.length;
  const last = turns.findLast(({ version, agent }) => version === towards && agent === MAIN_AGENT);
  if (last === undefined) return '';
  const seen = new Set(observations.filter(({ version }) => version === towards).map(({ callId }) => callId));
  const open = last.calls.filter(({ id }) => !seen.has(id));
  if (open.length === 0) return `, turn ${last.number + 2}`;
  const workers = open.flatMap(({ tool, arguments: text }) =>
    tool === DELEGATE_TOOL ? (delegationOf(text)?.worker ?? []) : [],
  );
  const doing =
    workers.length > 0
      ? `${formatList(unique(workers))} at work`
      : `uses ${formatList(unique(open.map(({ tool }) => tool)))}`;
  return `, turn ${last.number + 1}: ${doing}`;
}

function unique(names: string[]): string[] {
  return [...new Set(names)];
}
