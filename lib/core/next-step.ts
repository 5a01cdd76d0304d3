import { agentBase } from '#lib/core/agents/agent-progress.ts';
import { cutOffReasons, dueAgentStep } from '#lib/core/agents/agent-step.ts';
import { dueJudging, dueTuningStep, heldOutStep } from '#lib/core/tuning/due-tuning-step.ts';
import { bestVersion } from './best-version.ts';
import {
  decisionsSince,
  dueReview,
  guidanceOn,
  isMadeAtPause,
  isPassedOver,
  letsGoOn,
  orderedBase,
  scoresToAsk,
} from './due-review.ts';
import { truncatedRevision } from './edited-version.ts';
import { dropReflection, endReflection, errorReflection } from './end-reflection.ts';
import { heldBudgets } from './estimate-next-step.ts';
import type { Decision, History, Pause, Version } from './history.ts';
import { critiquesOf } from './reflections.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Ending, Step } from './step.ts';
import { STOP_REASONS, type StopReason, stopReason, stopReasonsWith } from './stop-reasons.ts';
import { heldStopRules, iterationsUsed, qualityDrop, regression } from './stop-rules.ts';
import { cannotBeScored } from './tuning/due-try.ts';

/** What ends a run although its last version is not judged yet. */
const ENDS_UNJUDGED = stopReasonsWith(({ endsUnjudged }) => endsUnjudged === true);

/** How often a version may be evaluated before its unscored state ends the run. */
const EVALUATION_TRIES = 2;

/**
 * The one next step of a loop, from nothing but its history. Pure: the same history gives the same step, so a run that was
 * killed anywhere goes on where it was. `now` dates an ending.
 */
export function nextStep(history: History, settings: ExperimentSettings, now: Date): Step {
  const last = history.versions.at(-1);
  const due = dueStep(history, settings);
  const isJudging = due !== null && last !== undefined && judges(due, history, settings);
  const held = heldReasons(history, settings, due, isJudging);
  const order = lastOrder(history);
  if (order !== null) {
    const reason = order.decision === 'accept' ? 'user_accepted' : 'user_stopped';
    // Whoever answers a pause lets the run end in its own course; a word spoken out of turn ends it at once.
    const closing = order.pauseId === null ? null : closingStep(history, settings, reason, order.version);
    return closing ?? stop(history, settings, now, [reason, ...held], order);
  }
  if (history.failure !== null) {
    const reflection = settings.mode === 'tune' ? null : errorReflection(history, settings);
    return reflection ?? mandatoryReflection(history, settings, held) ?? stop(history, settings, now, held);
  }
  if (history.pause !== null) return { type: 'wait', ...pick(history.pause) };

  if (last === undefined) return held.length > 0 || due === null ? stop(history, settings, now, held) : due;
  // The cap does not keep the last version from being judged.
  if (isJudging) {
    const ends = held.find(endsUnjudged);
    if (ends !== undefined) {
      const closing =
        settings.mode === 'tune'
          ? heldOutStep(history, settings, ends, null)
          : mandatoryReflection(history, settings, held);
      return closing ?? stop(history, settings, now, held);
    }
    const hook = dueReview(history, settings, last);
    return hook === null
      ? due
      : { type: 'wait', hook, version: last.number, wouldStopAs: null, asks: [], toolCall: null };
  }
  // Nothing counts a version that a person is yet to score, and waiting for it costs nothing.
  if (due?.type === 'wait') return due;
  if (mustAsk(history, settings, last, held))
    return {
      type: 'wait',
      hook: 'onReflection',
      version: last.number,
      wouldStopAs: held[0] ?? null,
      asks: [],
      toolCall: null,
    };
  const [reason] = held;
  if (reason !== undefined) return closingStep(history, settings, reason, null) ?? stop(history, settings, now, held);
  return due !== null && hasProceeded(history, last) ? due : { type: 'proceed', version: last.number };
}

/** Everything that would end the run as it stands now, but for a person's word, in the order of the table. */
export function reasonsToEnd(history: History, settings: ExperimentSettings): StopReason[] {
  const last = history.versions.at(-1);
  const due = dueStep(history, settings);
  const isJudging = due !== null && last !== undefined && judges(due, history, settings);
  return heldReasons(history, settings, due, isJudging);
}

/** What comes next where nothing ends the run and nobody is to be asked; null when a tuning run has nothing to mend. */
function dueStep(history: History, settings: ExperimentSettings): Step | null {
  if (settings.mode === 'tune') return dueTuningStep(history, settings);
  const last = history.versions.at(-1);
  if (last === undefined) return draftStep(history, settings, 0);
  const isDone = last.interrupted || effectiveEvaluation(history, last.number)?.status === 'scored';
  if (isDone || isPassedOver(history, last)) return goOn(history, settings, last);
  const asks = scoresToAsk(history, settings, last.number);
  if (asks.length === 0) return { type: 'evaluate', version: last.number };
  if (hasProceeded(history, last)) return goOn(history, settings, last);
  return { type: 'wait', hook: 'onReflection', version: last.number, wouldStopAs: null, asks, toolCall: null };
}

/** A first draft, or an attempt: the call that makes it, or what is due of the agent that does. */
function draftStep(history: History, settings: ExperimentSettings, iteration: number): Step {
  const base = agentBase(settings);
  if (base !== null) return dueAgentStep(history, settings, base, iteration);
  return settings.mode === 'retry' ? { type: 'attempt', iteration } : { type: 'generate' };
}

/** Whether a step brings the newest versions nearer to being judged. */
function judges(due: Step, history: History, settings: ExperimentSettings): boolean {
  return settings.mode === 'tune' ? dueJudging(history, settings) !== null : due.type === 'evaluate';
}

/** What a run that is about to end does first: its own reflection, a tuning run its tries on held-out cases. */
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

/** The reflection that a run writes also where it breaks off, if its settings say so. */
function mandatoryReflection(history: History, settings: ExperimentSettings, held: StopReason[]): Step | null {
  const [reason] = held;
  return settings.lessons.alwaysReflect && reason !== undefined ? endReflection(history, settings, reason, null) : null;
}

/**
 * Everything that ends the run as it stands, but for a person's word, in the order of the table. A budget counts where another
 * call is due; the first evaluation of a version is never saved on.
 */
function heldReasons(
  history: History,
  settings: ExperimentSettings,
  due: Step | null,
  isJudging: boolean,
): StopReason[] {
  const held = new Set<StopReason>(heldStopRules(history, settings));
  for (const reason of cutOffReasons(history, settings)) held.add(reason);
  if (due === null) held.add('nothing_to_mend');
  const callIsDue = due !== null && mayCost(due) && (held.size === 0 || isJudging);
  if (history.failure !== null) held.add(history.failure.kind);
  const tries = due?.type === 'evaluate' ? triesSinceResume(history, due.version) : 0;
  if (tries >= EVALUATION_TRIES || cannotBeScored(history, due)) held.add('evaluation_failed');
  else if (callIsDue && history.failure === null && !isFirstEvaluation(history, due)) {
    for (const budget of heldBudgets(due, history, settings)) held.add(budget);
  }
  return STOP_REASONS.filter((reason) => held.has(reason));
}

/** Waiting costs nothing, nor does a tool or an agent's end: an agent's budgets are looked at before its turns. */
function mayCost({ type }: Step): boolean {
  return type !== 'wait' && type !== 'use_tools' && type !== 'conclude';
}

function isFirstEvaluation(history: History, due: Step): boolean {
  return due.type === 'evaluate' && effectiveEvaluation(history, due.version) === null;
}

function endsUnjudged(reason: StopReason): boolean {
  return ENDS_UNJUDGED.includes(reason);
}

function goOn(history: History, settings: ExperimentSettings, last: Version): Step {
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
  const ordered = orderedBase(history, last);
  if (ordered !== null) return critiquedRevision(history, ordered, null);
  // There is nothing to revise: whoever lets the run go on has its agent try again.
  if (last.interrupted) return draftStep(history, settings, last.iteration);
  const fallen = regression(history, settings, last);
  const cutOff = fallen === null ? truncatedRevision(history, last) : null;
  const from =
    fallen === null ? (cutOff?.parent ?? last.number) : (bestVersion(history, 'highest_score') ?? last.number);
  return critiquedRevision(history, from, fallen ?? cutOff?.regressed ?? null);
}

/** The revision of a version, or first what is wrong with it: of one that was not evaluated, where nobody has said so. */
function critiquedRevision(
  history: History,
  from: number,
  regressed: Extract<Step, { type: 'revise' }>['regressed'],
): Step {
  const isTold = effectiveEvaluation(history, from) === null && guidanceOn(history, from).length > 0;
  if (!isTold && critiquesOf(history, from).length === 0)
    return { type: 'critique', version: from, trigger: 'completion' };
  return { type: 'revise', from, iteration: iterationsUsed(history) + 1, regressed };
}

function mustAsk(history: History, settings: ExperimentSettings, last: Version, held: StopReason[]): boolean {
  const isDecided = decisionsSince(history, last).some(
    ({ hook, decision, pauseId }) => hook === 'onReflection' && decision !== 'score' && pauseId !== null,
  );
  if (isDecided || isPassedOver(history, last)) return false;
  if (isMadeAtPause(history, last)) return true;
  const { escalate, pause } = settings.callbacks;
  const isUnsolved = settings.mode === 'retry' && held.length > 0 && !held.includes('quality_met');
  if (escalate && isUnsolved) return true;
  switch (pause) {
    case 'never':
      return false;
    case 'before_revision':
      return held.length === 0;
    case 'before_finish':
      return held.length > 0;
    case 'always':
      return true;
    case 'on_quality_drop':
      return qualityDrop(history, settings, last) !== null;
  }
}

/** The last `accept` or `stop` that was not undone by a later `resume`. */
function lastOrder(history: History): Decision | null {
  const order = history.decisions.findLast(
    (decision) =>
      decision.by !== 'policy' &&
      (decision.decision === 'accept' || decision.decision === 'stop' || decision.decision === 'resume'),
  );
  return order === undefined || order.decision === 'resume' ? null : order;
}

/** Evaluations since then that left the version unscored. */
function triesSinceResume(history: History, version: number): number {
  const resumed = history.decisions.findLast((decision) => decision.decision === 'resume');
  return history.evaluations.filter(
    (evaluation) =>
      evaluation.version === version &&
      evaluation.by === 'machine' &&
      evaluation.status !== 'scored' &&
      (resumed === undefined || evaluation.step >= resumed.step),
  ).length;
}

function hasProceeded(history: History, last: Version): boolean {
  return decisionsSince(history, last).some(
    (decision) => (decision.decision === 'continue' && decision.hook === 'onReflection') || letsGoOn(decision),
  );
}

function stop(
  history: History,
  settings: ExperimentSettings,
  now: Date,
  reasons: StopReason[],
  order: Decision | null = null,
): Step {
  return {
    type: 'stop',
    ending: endingOf(history, settings, now, reasons, order?.decision === 'accept' ? order.version : null),
  };
}

/** How a run stands when it ends for these reasons (the first one counts); `accepted` is the version a person took, if any. */
export function endingOf(
  history: History,
  settings: ExperimentSettings,
  now: Date,
  reasons: StopReason[],
  accepted: number | null,
): Ending {
  const [reason = 'internal_error', ...alsoHeld] = reasons;
  const best = bestVersion(history, settings.bestVersion);
  // A tuning run's last prompt may well be one that was rejected.
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
