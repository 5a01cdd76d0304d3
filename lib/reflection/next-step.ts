import { bestVersion } from './best-version.ts';
import { heldBudgets } from './held-budgets.ts';
import type { Decision, History, Pause, StopReason, Version } from './history.ts';
import { iterationsUsed } from './iteration-cap.ts';
import { roundTo6 } from './round.ts';
import { effectiveEvaluation, scoreOf } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Ending, Step } from './step.ts';
import { heldStopRules } from './stop-rules.ts';

/** How often a version may be evaluated before its unscored state ends the run. */
const EVALUATION_TRIES = 2;

/**
 * The one next step of a loop, from nothing but its history. Pure: the same history gives the same step, so a run that was
 * killed anywhere goes on where it was. `now` dates an ending.
 */
export function nextStep(history: History, settings: ExperimentSettings, now: Date): Step {
  const order = lastOrder(history);
  if (order !== null) return stop(history, settings, now, [order.decision === 'accept' ? 'user_accepted' : 'user_stopped', ...heldStopRules(history, settings)], order);
  if (history.failure !== null) return stop(history, settings, now, [history.failure.kind]);
  if (history.pause !== null) return { type: 'wait', ...pick(history.pause) };

  const last = history.versions.at(-1);
  if (last === undefined) return withinBudget(settings.mode === 'retry' ? { type: 'attempt', iteration: 0 } : { type: 'generate' }, history, settings, now);
  if (!last.interrupted) {
    const evaluation = effectiveEvaluation(history, last.number);
    if (evaluation === null) return { type: 'evaluate', version: last.number };
    if (evaluation.status === 'partial') {
      return triesSinceResume(history, last) < EVALUATION_TRIES ? { type: 'evaluate', version: last.number } : stop(history, settings, now, ['evaluation_failed']);
    }
  }

  const held = heldStopRules(history, settings);
  if (mustAsk(history, settings, last, held)) return { type: 'wait', hook: 'onReflection', version: last.number, wouldStopAs: held[0] ?? null };
  if (held.length > 0) return stop(history, settings, now, held);
  const going = goOn(history, settings, last);
  const step = withinBudget(going, history, settings, now);
  if (step.type === 'stop' || hasProceeded(history, last)) return step;
  return { type: 'proceed', version: last.number };
}

function goOn(history: History, settings: ExperimentSettings, last: Version): Step {
  if (settings.mode === 'retry') {
    const wantsLesson = settings.lessons.write !== 'off' && !last.interrupted && !history.lessons.some((lesson) => lesson.version === last.number);
    return wantsLesson ? { type: 'write_lesson', version: last.number } : { type: 'attempt', iteration: last.iteration + 1 };
  }
  const regressed = regression(history, settings, last);
  const from = regressed === null ? last.number : (bestVersion(history, 'highest_score') ?? last.number);
  if (!history.critiques.some((critique) => critique.version === from)) return { type: 'critique', version: from };
  return { type: 'revise', from, iteration: iterationsUsed(history) + 1, regressed };
}

/** How far a version fell below its parent, when that is more than the quality-drop threshold; null otherwise. */
function regression(history: History, settings: ExperimentSettings, version: Version): { version: number; fell: number } | null {
  const parent = version.parents[0];
  if (parent === undefined) return null;
  const before = scoreOf(history, parent);
  const after = scoreOf(history, version.number);
  if (before === null || after === null) return null;
  const fell = roundTo6(before - after);
  return fell > settings.triggers.qualityDropThreshold ? { version: version.number, fell } : null;
}

function mustAsk(history: History, settings: ExperimentSettings, last: Version, held: StopReason[]): boolean {
  if (history.decisions.some((decision) => decision.pauseId !== null && decision.version === last.number)) return false;
  switch (settings.callbacks.pause) {
    case 'never':
      return false;
    case 'before_revision':
      return held.length === 0;
    case 'before_finish':
      return held.length > 0;
    case 'always':
      return true;
    case 'on_quality_drop': {
      const previous = history.versions.at(-2);
      const compared = last.parents.length > 0 || previous === undefined ? last : { ...last, parents: [previous.number] };
      return regression(history, settings, compared) !== null;
    }
  }
}

function withinBudget(step: Step, history: History, settings: ExperimentSettings, now: Date): Step {
  const held = heldBudgets(step, history, settings);
  return held.length > 0 ? stop(history, settings, now, held) : step;
}

/** The last `accept` or `stop` that was not undone by a later `resume`. */
function lastOrder(history: History): Decision | null {
  const order = history.decisions.findLast(
    (decision) => decision.by !== 'policy' && (decision.decision === 'accept' || decision.decision === 'stop' || decision.decision === 'resume'),
  );
  return order === undefined || order.decision === 'resume' ? null : order;
}

function triesSinceResume(history: History, version: Version): number {
  const resumed = history.decisions.findLast((decision) => decision.decision === 'resume');
  return history.evaluations.filter((evaluation) => evaluation.version === version.number && (resumed === undefined || evaluation.step >= resumed.step)).length;
}

function hasProceeded(history: History, last: Version): boolean {
  return history.decisions.some((decision) => decision.version === last.number && decision.decision === 'continue');
}

function stop(history: History, settings: ExperimentSettings, now: Date, reasons: StopReason[], order: Decision | null = null): Step {
  return { type: 'stop', ending: endingOf(history, settings, now, reasons, order?.decision === 'accept' ? order.version : null) };
}

/** How a run stands when it ends for these reasons (the first one counts); `accepted` is the version a person took, if any. */
export function endingOf(history: History, settings: ExperimentSettings, now: Date, reasons: StopReason[], accepted: number | null): Ending {
  const [reason = 'internal_error', ...alsoHeld] = reasons;
  return {
    reason,
    alsoHeld,
    success: reason === 'quality_met' || reason === 'user_accepted',
    bestVersion: bestVersion(history, settings.bestVersion),
    finalVersion: accepted ?? history.versions.at(-1)?.number ?? null,
    iterationsUsed: iterationsUsed(history),
    endedAt: now.toISOString(),
  };
}

function pick(pause: Pause) {
  return { hook: pause.hook, version: pause.version, wouldStopAs: pause.wouldStopAs };
}
