import { decisionKind } from './decision-kinds.ts';
import type { AskedScore, Decision, History, Hook, Version } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * Whether somebody let the run go on, and not just the rules or a time-out: this suspends its stop rules, and at the cap grants one
 * more iteration. A `continue` before a version is evaluated only has it evaluated.
 */
export function letsGoOn({ decision, by, hook }: Pick<Decision, 'decision' | 'by' | 'hook'>): boolean {
  if (by === 'policy' || by === 'timeout') return false;
  return decision === 'continue' ? hook === 'onReflection' : decisionKind(decision).goesOn === true;
}

/** What was decided after a version was made. A decision that made the version itself (`edit`, `merge`) is not among them. */
export function decisionsSince({ decisions }: Pick<History, 'decisions'>, { step }: Pick<Version, 'step'>): Decision[] {
  return decisions.filter((decision) => decision.step > step);
}

/** The version that the next revision was ordered to start from since the last version was made; null where that is left to the rules. */
export function orderedBase(history: Pick<History, 'decisions'>, last: Pick<Version, 'step'>): number | null {
  const order = decisionsSince(history, last).findLast(({ decision }) => decisionKind(decision).goesOn === true);
  return order !== undefined && decisionKind(order.decision).orders === true ? order.version : null;
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

/**
 * The hook at which somebody is to look at a version before it is evaluated: once at each that a model made, where the settings
 * ask for it. Null where they do not, and where it was looked at. A version by hand was seen by whoever wrote it.
 */
export function dueReview(history: History, { callbacks }: ExperimentSettings, version: Version): Hook | null {
  const hook = hookOf(version);
  const isAsked = hook === 'onRevision' ? callbacks.review.revisions : callbacks.review.drafts;
  if (hook === null || !isAsked || effectiveEvaluation(history, version.number) !== null) return null;
  const isAnswered = decisionsSince(history, version).some(
    (decision) => decision.hook === hook && decision.pauseId !== null,
  );
  return isAnswered ? null : hook;
}

/** Which hook a version comes to when it is made; null for one that a person made or gave. */
export function hookOf({
  origin,
  proposal,
}: Pick<Version, 'origin' | 'proposal'>): Exclude<Hook, 'onReflection' | 'onToolCall'> | null {
  if (proposal?.merged === true) return 'onRevision';
  switch (origin) {
    case 'generated':
    case 'retried':
      return 'onGeneration';
    case 'revised':
      return 'onRevision';
    case 'edited':
    case 'merged':
    case 'branched':
    case 'given':
      return null;
  }
}

/**
 * The scores of a version that a person is to give (only they can, or the judge was not sure and proposes one) and nobody has given yet,
 * in the order of the criteria. None while the
 * machine's own criteria are not all scored: a person is asked once the rest is known. None either once the version has a full
 * score, such as an override of the whole.
 */
export function scoresToAsk(
  history: History,
  settings: Pick<ExperimentSettings, 'criteria'>,
  version: number,
): AskedScore[] {
  const evaluation = effectiveEvaluation(history, version);
  if (evaluation === null || evaluation.status === 'scored') return [];
  const missing = settings.criteria.filter(({ name }) => (evaluation.criteriaScores[name] ?? null) === null);
  const asked = missing.flatMap((criterion): AskedScore[] => {
    const proposed = evaluation.proposed?.[criterion.name];
    if (criterion.evaluator === 'human')
      return [{ criterion: criterion.name, question: criterion.config.question || null }];
    return proposed === undefined ? [] : [{ criterion: criterion.name, question: null, proposed }];
  });
  return asked.length === missing.length ? asked : [];
}
