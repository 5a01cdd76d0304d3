import type { Decision, DecisionKind, History, Version } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';

/** Verdicts after which a run goes on, whatever its stop rules say of what was judged so far. */
const GOING_ON: readonly DecisionKind[] = ['continue', 'revise', 'revert'];

/**
 * Whether somebody let the run go on, and not just the rules or a time-out: this suspends its stop rules, and at the cap grants one
 * more iteration. A `continue` before a version is evaluated only has it evaluated.
 */
export function letsGoOn({ decision, by, hook }: Pick<Decision, 'decision' | 'by' | 'hook'>): boolean {
  if (by === 'policy' || by === 'timeout') return false;
  return decision === 'continue' ? hook === 'onReflection' : GOING_ON.includes(decision);
}

/** What was decided after a version was made. A decision that made the version itself (`edit`, `merge`) is not among them. */
export function decisionsSince({ decisions }: Pick<History, 'decisions'>, { step }: Pick<Version, 'step'>): Decision[] {
  return decisions.filter((decision) => decision.step > step);
}

/** The version that the next revision was ordered to start from since the last version was made; null where that is left to the rules. */
export function orderedBase(history: Pick<History, 'decisions'>, last: Pick<Version, 'step'>): number | null {
  const order = decisionsSince(history, last).findLast(
    ({ decision }) => decision === 'revise' || decision === 'revert' || decision === 'continue',
  );
  return order?.decision === 'revise' || order?.decision === 'revert' ? order.version : null;
}

/** Whether the last version is left as it is, unevaluated: somebody had another one made of it, or of an earlier one. */
export function isPassedOver(history: History, last: Version): boolean {
  return effectiveEvaluation(history, last.number) === null && orderedBase(history, last) !== null;
}

/** What was asked of the next revision of a version, in the order of asking. */
export function guidanceOn({ decisions }: Pick<History, 'decisions'>, version: number): string[] {
  return decisions.flatMap((decision) =>
    decision.version === version && decision.guidance !== null ? [decision.guidance] : [],
  );
}

/** What was asked of the next attempt since the last version was made, whichever version it speaks of, in the order of asking. */
export function guidanceSince(history: Pick<History, 'decisions'>, last: Pick<Version, 'step'>): string[] {
  return decisionsSince(history, last).flatMap(({ guidance }) => (guidance === null ? [] : [guidance]));
}

/** Whether a version was written at a pause, by a person or a webhook: once it is scored, they are asked again. */
export function isMadeAtPause({ decisions }: Pick<History, 'decisions'>, version: Pick<Version, 'number'>): boolean {
  return decisions.some(
    ({ decision, pauseId, version: made }) =>
      (decision === 'edit' || decision === 'merge') && pauseId !== null && made === version.number,
  );
}
