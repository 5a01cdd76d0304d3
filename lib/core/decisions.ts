import { decisionKind } from './decision-kinds.ts';
import type { AskedScore, Decision, History, Hook, Version } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * True if someone continued the run, and not only the rules or a timeout. This suspends the stop rules and, at the iteration limit, grants
 * one more iteration. A `continue` before the evaluation of a version only has it evaluated.
 */
export function continuesRun({ decision, by, hook }: Pick<Decision, 'decision' | 'by' | 'hook'>): boolean {
  if (by === 'policy' || by === 'timeout') return false;
  return decision === 'continue' ? hook === 'onReflection' : decisionKind(decision).continues === true;
}

/** Returns the decisions since a version was made, without one that made the version (`edit`, `merge`). */
export function decisionsSince({ decisions }: Pick<History, 'decisions'>, { step }: Pick<Version, 'step'>): Decision[] {
  return decisions.filter((decision) => decision.step > step);
}

/** Returns the version that the next revision was requested to start from since the last version, or null if the rules decide. */
export function findRequestedBase(history: Pick<History, 'decisions'>, last: Pick<Version, 'step'>): number | null {
  const order = decisionsSince(history, last).findLast(({ decision }) => decisionKind(decision).continues === true);
  return order !== undefined && decisionKind(order.decision).guidesRevision === true ? order.version : null;
}

/** True if the last version is skipped without evaluation, because someone requested a revision of it or of an earlier one. */
export function isSkippedUnevaluated(history: History, last: Version): boolean {
  return effectiveEvaluation(history, last.number) === null && findRequestedBase(history, last) !== null;
}

/** Returns the guidance for the next revision of a version, in order. */
export function guidanceOn({ decisions }: Pick<History, 'decisions'>, version: number): string[] {
  return decisions.flatMap((decision) =>
    decision.version === version && decision.guidance !== null ? [decision.guidance] : [],
  );
}

/** Returns the guidance for the next attempt since the last version, about any version, in order. */
export function guidanceSince(history: Pick<History, 'decisions'>, last: Pick<Version, 'step'>): string[] {
  return decisionsSince(history, last).flatMap(({ guidance }) => (guidance === null ? [] : [guidance]));
}

/** True if a version was written at a pause, by a person or a webhook. They are asked again once it is scored. */
export function isMadeAtPause({ decisions }: Pick<History, 'decisions'>, version: Pick<Version, 'number'>): boolean {
  return decisions.some(
    ({ decision, pauseId, version: made }) =>
      (decision === 'edit' || decision === 'merge') && pauseId !== null && made === version.number,
  );
}

/**
 * Returns the hook at which a version is reviewed before evaluation, or null. Each version from a model is reviewed once if the settings
 * require it. A version written by hand was already reviewed by its author.
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

type HookOfVersion = Exclude<Hook, 'onReflection' | 'onToolCall'>;

/** Null if a person wrote or provided the version. */
const HOOK_BY_ORIGIN: Record<Version['origin'], HookOfVersion | null> = {
  generated: 'onGeneration',
  retried: 'onGeneration',
  revised: 'onRevision',
  edited: null,
  merged: null,
  branched: null,
  given: null,
};

/** Returns the hook of a new version, or null if it has none. */
export function hookOf({ origin, proposal }: Pick<Version, 'origin' | 'proposal'>): HookOfVersion | null {
  return proposal?.merged === true ? 'onRevision' : HOOK_BY_ORIGIN[origin];
}

/** Returns the step of the last resume, or 0 if the run was never resumed. */
export function lastResumeStep({ decisions }: Pick<History, 'decisions'>): number {
  return decisions.findLast(({ decision }) => decision === 'resume')?.step ?? 0;
}

/**
 * Returns the scores of a version that a person still has to give, in the order of the criteria: only a person can give them, or the judge
 * is unsure and proposes one. Empty until all automatic criteria are scored, because a person is asked last. Also empty once the version
 * has a full score, such as an overall override.
 */
export function listMissingScores(history: History, settings: ExperimentSettings, version: number): AskedScore[] {
  const evaluation = effectiveEvaluation(history, version);
  if (evaluation === null || evaluation.status === 'scored') return [];
  const missing = settings.criteria.filter(({ name }) => (evaluation.criteriaScores[name] ?? null) === null);
  const questions = missing.flatMap((criterion): AskedScore[] => {
    const proposed = evaluation.proposed?.[criterion.name];
    if (criterion.evaluator === 'human')
      return [{ criterion: criterion.name, question: criterion.config.question || null }];
    return proposed === undefined ? [] : [{ criterion: criterion.name, question: null, proposed }];
  });
  return questions.length === missing.length ? questions : [];
}
