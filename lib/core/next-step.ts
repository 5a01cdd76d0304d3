import { agentBase } from '#lib/core/agents/agent-progress.ts';
import { cutOffReasons, dueAgentStep } from '#lib/core/agents/agent-step.ts';
import { dueJudging, dueTuningStep, heldOutStep } from '#lib/core/tuning/due-tuning-step.ts';
import { bestVersion } from './best-version.ts';
import {
  continuesRun,
  decisionsSince,
  dueReview,
  findRequestedBase,
  guidanceOn,
  isMadeAtPause,
  isSkippedUnevaluated,
  lastResumeStep,
  listMissingScores,
} from './decisions.ts';
import { truncatedRevision } from './edited-version.ts';
import { dropReflection, endReflection, errorReflection } from './end-reflection.ts';
import { findExceededBudgets } from './estimate-next-step.ts';
import type { Decision, History, Pause, Version } from './history.ts';
import { critiquesOf } from './reflections.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Ending, Step } from './step.ts';
import { STOP_REASONS, type StopReason, stopReason, stopReasonsWith } from './stop-reasons.ts';
import { findTriggeredStopRules, iterationsUsed, qualityDrop, regression } from './stop-rules.ts';
import { cannotBeScored } from './tuning/due-try.ts';

/** Reasons that end a run although its last version is not evaluated yet. */
const ENDS_UNJUDGED = stopReasonsWith(({ endsUnjudged }) => endsUnjudged === true);

/** Maximum evaluations of a version that stays unscored, before this ends the run. */
const MAX_EVALUATION_ATTEMPTS = 2;

/**
 * Returns the next step of a loop from its history. Pure: the same history returns the same step, so a killed run continues where it was.
 * `now` is the time of an ending.
 */
export function nextStep(history: History, settings: ExperimentSettings, now: Date): Step {
  const assessed = assess(history, settings);
  const { active } = assessed;
  const order = findLastStopDecision(history);
  if (order !== null) {
    const reason = order.decision === 'accept' ? 'user_accepted' : 'user_stopped';
    // An answer to a pause lets the run finish normally. A decision outside of a pause ends it immediately.
    const closing = order.pauseId === null ? null : closingStep(history, settings, reason, order.version);
    const accepted = order.decision === 'accept' ? order.version : null;
    return closing ?? { type: 'stop', ending: endingOf(history, settings, now, [reason, ...active], accepted) };
  }
  const step = stepOrClosing(history, settings, assessed);
  return step ?? { type: 'stop', ending: endingOf(history, settings, now, active, null) };
}

/** Returns the next step without a decision to end the run, or the closing step of an ending one. Null if it ends now. */
function stepOrClosing(
  history: History,
  settings: ExperimentSettings,
  { due, judging, active }: Assessed,
): Step | null {
  if (history.failure !== null) {
    const reflection = settings.mode === 'tune' ? null : errorReflection(history, settings);
    return reflection ?? mandatoryReflection(history, settings, active);
  }
  if (history.pause !== null) return { type: 'wait', ...pick(history.pause) };
  const last = history.versions.at(-1);
  if (last === undefined) return active.length > 0 ? null : due;
  // The iteration limit does not prevent the evaluation of the last version.
  if (judging !== null) return judgingStep(history, settings, last, judging, active);
  // A version that waits for a person's score counts towards no rule, and waiting costs nothing.
  if (due?.type === 'wait') return due;
  const [reason] = active;
  if (needsDecision(history, settings, last, active))
    return waitStep('onReflection', last, { wouldStopAs: reason ?? null });
  if (reason !== undefined) return closingStep(history, settings, reason, null);
  return due !== null && hasProceeded(history, last) ? due : { type: 'proceed', version: last.number };
}

/** Returns the evaluation of the newest versions or the review before it, or the closing step. Null if the run ends now. */
function judgingStep(
  history: History,
  settings: ExperimentSettings,
  last: Version,
  judging: Step,
  active: StopReason[],
): Step | null {
  const ends = active.find((reason) => ENDS_UNJUDGED.includes(reason));
  if (ends === undefined) {
    const hook = dueReview(history, settings, last);
    return hook === null ? judging : waitStep(hook, last);
  }
  return settings.mode === 'tune'
    ? heldOutStep(history, settings, ends, null)
    : mandatoryReflection(history, settings, active);
}

/** Returns all reasons that would end the run now without a person's decision, in the order of the table. */
export function reasonsToEnd(history: History, settings: ExperimentSettings): StopReason[] {
  return assess(history, settings).active;
}

/** The due step, the same step as `judging` if it evaluates the newest versions, and the active stop reasons. */
type Assessed = { due: Step | null; judging: Step | null; active: StopReason[] };

function assess(history: History, settings: ExperimentSettings): Assessed {
  const due = dueStep(history, settings);
  const isJudging = due !== null && history.versions.length > 0 && isEvaluationStep(due, history, settings);
  return { due, judging: isJudging ? due : null, active: listActiveStopReasons(history, settings, due, isJudging) };
}

/** Returns the next step if nothing ends the run and no person has to decide. Null if a tuning run has nothing to improve. */
function dueStep(history: History, settings: ExperimentSettings): Step | null {
  if (settings.mode === 'tune') return dueTuningStep(history, settings);
  const last = history.versions.at(-1);
  if (last === undefined) return draftStep(history, settings, 0);
  const isDone = last.interrupted || effectiveEvaluation(history, last.number)?.status === 'scored';
  if (isDone || isSkippedUnevaluated(history, last)) return continuationStep(history, settings, last);
  const asks = listMissingScores(history, settings, last.number);
  if (asks.length === 0) return { type: 'evaluate', version: last.number };
  if (hasProceeded(history, last)) return continuationStep(history, settings, last);
  return waitStep('onReflection', last, { asks });
}

function waitStep(
  hook: Pause['hook'],
  { number: version }: Version,
  given: Partial<Pick<Pause, 'wouldStopAs' | 'asks'>> = {},
): Step {
  return { type: 'wait', hook, version, wouldStopAs: null, asks: [], toolCall: null, ...given };
}

/** Returns the step of a first draft or an attempt: the call that makes it, or the next step of its agent. */
function draftStep(history: History, settings: ExperimentSettings, iteration: number): Step {
  const base = agentBase(settings);
  if (base !== null) return dueAgentStep(history, settings, base, iteration);
  return settings.mode === 'retry' ? { type: 'attempt', iteration } : { type: 'generate' };
}

/** True if a step is part of the evaluation of the newest versions. */
function isEvaluationStep(due: Step, history: History, settings: ExperimentSettings): boolean {
  return settings.mode === 'tune' ? dueJudging(history, settings) !== null : due.type === 'evaluate';
}

/** Returns the step before a run ends: its reflection, or for a tuning run the scores on held-out cases. */
function closingStep(
  history: History,
  settings: ExperimentSettings,
  reason: StopReason,
  accepted: number | null,
): Step | null {
  return settings.mode === 'tune'
    ? heldOutStep(history, settings, reason, accepted)
    : endReflection(history, settings, reason, accepted);
}

/** Returns the reflection that a run also writes if it is aborted, if its settings require it. */
function mandatoryReflection(history: History, settings: ExperimentSettings, active: StopReason[]): Step | null {
  const [reason] = active;
  return settings.lessons.alwaysReflect && reason !== undefined ? endReflection(history, settings, reason, null) : null;
}

/**
 * Returns all reasons that end the run now without a person's decision, in the order of the table. A budget only counts if another call is
 * due. It never prevents the first evaluation of a version.
 */
function listActiveStopReasons(
  history: History,
  settings: ExperimentSettings,
  due: Step | null,
  isJudging: boolean,
): StopReason[] {
  const active = new Set<StopReason>(findTriggeredStopRules(history, settings));
  for (const reason of cutOffReasons(history, settings)) active.add(reason);
  if (due === null) active.add('nothing_to_mend');
  const callIsDue = due !== null && mayCost(due) && (active.size === 0 || isJudging);
  if (history.failure !== null) active.add(history.failure.kind);
  const attempts = due?.type === 'evaluate' ? attemptsSinceResume(history, due.version) : 0;
  if (attempts >= MAX_EVALUATION_ATTEMPTS || cannotBeScored(history, due)) active.add('evaluation_failed');
  else if (callIsDue && history.failure === null && !isFirstEvaluation(history, due)) {
    for (const budget of findExceededBudgets(due, history, settings)) active.add(budget);
  }
  return STOP_REASONS.filter((reason) => active.has(reason));
}

/** Waiting, tool calls and the end of an agent cost nothing. An agent's budgets are checked before its turns. */
function mayCost({ type }: Step): boolean {
  return type !== 'wait' && type !== 'use_tools' && type !== 'conclude';
}

function isFirstEvaluation(history: History, due: Step): boolean {
  return due.type === 'evaluate' && effectiveEvaluation(history, due.version) === null;
}

function continuationStep(history: History, settings: ExperimentSettings, last: Version): Step {
  if (settings.mode === 'retry') {
    const wantsLesson =
      settings.lessons.write !== 'off' &&
      effectiveEvaluation(history, last.number)?.status === 'scored' &&
      !history.lessons.some((lesson) => lesson.kind === 'lesson' && lesson.version === last.number);
    if (wantsLesson) return { type: 'write_lesson', version: last.number };
    return dropReflection(history, settings, last) ?? draftStep(history, settings, last.iteration + 1);
  }
  const drop = dropReflection(history, settings, last);
  if (drop !== null) return drop;
  const ordered = findRequestedBase(history, last);
  if (ordered !== null) return critiquedRevision(history, ordered, null);
  // There is nothing to revise. If the run is continued, its agent tries again.
  if (last.interrupted) return draftStep(history, settings, last.iteration);
  const fallen = regression(history, settings, last);
  const cutOff = fallen === null ? truncatedRevision(history, last) : null;
  const from =
    fallen === null ? (cutOff?.parent ?? last.number) : (bestVersion(history, 'highest_score') ?? last.number);
  return critiquedRevision(history, from, fallen ?? cutOff?.regressed ?? null);
}

/** Returns the revision of a version, or first its critique if it was not evaluated and has none. */
function critiquedRevision(
  history: History,
  from: number,
  regressed: Extract<Step, { type: 'revise' }>['regressed'],
): Step {
  const isGuided = effectiveEvaluation(history, from) === null && guidanceOn(history, from).length > 0;
  if (!isGuided && critiquesOf(history, from).length === 0)
    return { type: 'critique', version: from, trigger: 'completion' };
  return { type: 'revise', from, iteration: iterationsUsed(history) + 1, regressed };
}

function needsDecision(history: History, settings: ExperimentSettings, last: Version, active: StopReason[]): boolean {
  const isDecided = decisionsSince(history, last).some(
    ({ hook, decision, pauseId }) => hook === 'onReflection' && decision !== 'score' && pauseId !== null,
  );
  if (isDecided || isSkippedUnevaluated(history, last)) return false;
  if (isMadeAtPause(history, last)) return true;
  const { escalate, pause } = settings.callbacks;
  const isUnsolved = settings.mode === 'retry' && active.length > 0 && !active.includes('quality_met');
  if (escalate && isUnsolved) return true;
  switch (pause) {
    case 'never':
      return false;
    case 'before_revision':
      return active.length === 0;
    case 'before_finish':
      return active.length > 0;
    case 'always':
      return true;
    case 'on_quality_drop':
      return qualityDrop(history, settings, last) !== null;
  }
}

/** Returns the last `accept` or `stop` that was not undone by a later `resume`. */
function findLastStopDecision(history: History): Decision | null {
  const order = history.decisions.findLast(
    (decision) =>
      decision.by !== 'policy' &&
      (decision.decision === 'accept' || decision.decision === 'stop' || decision.decision === 'resume'),
  );
  return order === undefined || order.decision === 'resume' ? null : order;
}

/** Returns the number of evaluations since the last resume that left the version unscored. */
function attemptsSinceResume(history: History, version: number): number {
  const resumedAt = lastResumeStep(history);
  return history.evaluations.filter(
    ({ version: of, by, status, step }) =>
      of === version && by === 'machine' && status !== 'scored' && step >= resumedAt,
  ).length;
}

function hasProceeded(history: History, last: Version): boolean {
  return decisionsSince(history, last).some(
    (decision) => (decision.decision === 'continue' && decision.hook === 'onReflection') || continuesRun(decision),
  );
}

/** Returns the ending of a run for these reasons (the first counts). `accepted` is the version that a person accepted, if any. */
export function endingOf(
  history: History,
  settings: ExperimentSettings,
  now: Date,
  reasons: StopReason[],
  accepted: number | null,
): Ending {
  const [reason = 'internal_error', ...alsoHeld] = reasons;
  const best = bestVersion(history, settings.bestVersion);
  // The last prompt of a tuning run may have been rejected.
  const returned = settings.mode === 'tune' ? best : (history.versions.at(-1)?.number ?? null);
  return {
    reason,
    alsoHeld,
    success: stopReason(reason).reflectsOn === 'success',
    bestVersion: best,
    finalVersion: accepted ?? returned,
    iterationsUsed: iterationsUsed(history),
    endedAt: now.toISOString(),
  };
}

function pick({ hook, version, wouldStopAs, asks, toolCall }: Pause) {
  return { hook, version, wouldStopAs, asks, toolCall };
}
