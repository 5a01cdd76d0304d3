import { appendResult } from './append-result.ts';
import { editedVersion } from './edited-version.ts';
import { type Decision, type Evaluation, type History, type Hook, PLAIN_DECISION, type Version } from './history.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

/**
 * Decisions that code can return at a hook. Without a named version, they apply to the version of the hook.
 * `auto` applies the rules.
 * `continue` suspends the rules for the versions judged so far and, at the iteration limit, grants one more iteration. Before an
 * evaluation, it only has the version evaluated.
 * `revise` does the same and adds guidance for the next revision. `revert` does the same and starts the next revision from another version.
 * `accept` accepts a version. `edit` and `merge` create one, which is judged next.
 * `override` sets a score from 0 to 1 for one criterion or overall, and `restore` removes it. After both, the rules apply.
 */
export type ReflectionDecision =
  | 'auto'
  | 'continue'
  | 'accept'
  | 'stop'
  | { decision: 'continue' | 'stop'; reason?: string }
  | { decision: 'accept' | 'restore'; version?: number; reason?: string }
  | { decision: 'revise'; guidance: string; version?: number; reason?: string }
  | { decision: 'revert'; version: number; guidance?: string; reason?: string }
  | { decision: 'edit'; output: string; version?: number; reason?: string }
  | { decision: 'merge'; output: string; parents: [number, number]; reason?: string }
  | { decision: 'override'; score: number; criterion?: string; version?: number; reason?: string };

type ExplicitDecision = Exclude<ReflectionDecision, string> | { decision: Exclude<ReflectionDecision, object> };

/**
 * Returns the history with the decision of code at a hook about a version. Throws for an unknown version, criterion or an invalid score,
 * because that is a bug in the code.
 */
export function withCodeDecision(
  history: History,
  settings: ExperimentSettings,
  at: { hook: Hook; version: number },
  answer: ReflectionDecision,
  now: Date,
): History {
  if (answer === 'auto') return history;
  const explicit: ExplicitDecision = typeof answer === 'string' ? { decision: answer } : answer;
  const says = `${at.hook} answered ${explicit.decision}`;
  const about = versionAt(history, ('version' in explicit ? explicit.version : undefined) ?? at.version, says);
  const decision = decisionOf(history, at.hook, about, explicit, now);
  const recorded = { ...history, decisions: [...history.decisions, decision] };
  switch (explicit.decision) {
    case 'edit':
      return withHandWritten(history, decision, explicit.output, [about.number]);
    case 'merge':
      for (const parent of explicit.parents) versionAt(history, parent, says);
      return withHandWritten(history, decision, explicit.output, explicit.parents);
    case 'override':
      return {
        ...recorded,
        evaluations: [...history.evaluations, overridden(history, settings, decision, says, now)],
      };
    case 'restore': {
      const restored = restoredScore(history, about.number, { actor: 'code', reason: decision.reason }, now);
      if (restored === null) throw new Error(`${says}, but the score of version ${about.number} is not overridden`);
      return { ...recorded, evaluations: [...history.evaluations, restored] };
    }
    case 'revert':
      if (settings.mode === 'retry')
        throw new Error(`${says}, but each attempt starts from scratch, so there is no version to revert to`);
      return recorded;
    case 'accept':
    case 'auto':
    case 'continue':
    case 'revise':
    case 'stop':
      return recorded;
  }
}

/** The parts that any explicit decision may have. */
type DecisionParts = {
  decision: ExplicitDecision['decision'];
  version?: number;
  reason?: string;
  score?: number;
  criterion?: string;
  guidance?: string;
};

function decisionOf(history: History, hook: Hook, about: Version, explicit: DecisionParts, now: Date): Decision {
  const { decision, reason = null, score = null, criterion = null, guidance = null } = explicit;
  const isOfTheVersion = decision === 'accept' || decision === 'override' || decision === 'restore';
  return {
    ...PLAIN_DECISION,
    hook,
    version: about.number,
    // The iteration of the decision. It may be about an earlier version.
    iteration: (isOfTheVersion ? about : (history.versions.at(-1) ?? about)).iteration,
    decision,
    by: 'code',
    reason,
    score,
    criterion,
    guidance,
    at: now.toISOString(),
    step: history.step,
  };
}

function withHandWritten(history: History, decision: Decision, output: string, parents: number[]): History {
  const version = editedVersion(history, { output, parents, at: decision.at });
  const next = appendResult(history, { type: 'version', version });
  return { ...next, decisions: [...history.decisions, { ...decision, version: version.number }] };
}

function overridden(
  history: History,
  settings: ExperimentSettings,
  { version, score, criterion, reason }: Decision,
  says: string,
  now: Date,
): Evaluation {
  if (version === null || score === null || !(score >= 0 && score <= 1))
    throw new Error(`${says} with the score ${score}, not a number from 0 to 1`);
  if (criterion !== null && !settings.criteria.some(({ name }) => name === criterion))
    throw new Error(`${says} of the criterion ${criterion}, which the settings do not have`);
  const evaluation = overrideScore(history, settings, { version, score, criterion, actor: 'code', reason }, now);
  if (evaluation === null) throw new Error(`${says}, but version ${version} was not evaluated yet`);
  return evaluation;
}

function versionAt({ versions }: History, number: number, says: string): Version {
  const made = versions.find((candidate) => candidate.number === number);
  if (made !== undefined) return made;
  throw new Error(`${says} of version ${number}, but there are versions 0 to ${versions.length - 1}`);
}

/** A manual score, 0 to 1, for one criterion, or (null) for the version as a whole. */
type ManualScore = { score: number; criterion: string | null; actor: string | null; reason: string | null };

/**
 * Returns the evaluation for a manual score, in addition to the automatic one. Everything else is copied from the effective evaluation.
 * Returns null if the version was not evaluated yet.
 */
export function overrideScore(
  history: History,
  settings: ExperimentSettings,
  { version, ...manual }: ManualScore & { version: number },
  now: Date,
): Evaluation | null {
  const before = effectiveEvaluation(history, version);
  if (before === null) return null;
  return withManualScore(settings, before, { ...manual, at: now.toISOString(), step: history.step });
}

/** Applies a manual score to an evaluation. While the score of a criterion is missing, the evaluation is `partial`. */
export function withManualScore(
  settings: ExperimentSettings,
  before: Evaluation,
  { criterion, score, actor, reason, at, step }: ManualScore & { at: string; step: number },
): Evaluation {
  const criteriaScores = criterion === null ? before.criteriaScores : { ...before.criteriaScores, [criterion]: score };
  const overallScore = criterion === null ? score : overallOf(settings, criteriaScores);
  return {
    ...before,
    ...NO_SPEND,
    by: 'person',
    actor,
    reason,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    satisfactory:
      criterion === null ? score >= settings.qualityThreshold : isSatisfactory(settings, overallScore, criteriaScores),
    sameModelJudge: false,
    copiedFrom: null,
    createdAt: at,
    step,
  };
}

/**
 * Returns the evaluation that restores a version's score from before an override. It is appended like any evaluation by a person. Returns
 * null if the effective score is not an override.
 */
export function restoredScore(
  history: History,
  version: number,
  { actor, reason }: { actor: string | null; reason: string | null },
  now: Date,
): Evaluation | null {
  const current = effectiveEvaluation(history, version);
  if (current === null || !isOverride(history, current)) return null;
  const evaluations = history.evaluations.filter((evaluation) => !isOverride(history, evaluation));
  const before = effectiveEvaluation({ ...history, evaluations }, version);
  if (before === null) return null;
  return { ...before, ...NO_SPEND, by: 'person', actor, reason, createdAt: now.toISOString(), step: history.step };
}

/** True if an evaluation comes from an override: it has the timestamp of its decision. */
function isOverride({ decisions }: Pick<History, 'decisions'>, { by, version, createdAt }: Evaluation): boolean {
  return (
    by === 'person' &&
    decisions.some((one) => one.decision === 'override' && one.version === version && one.at === createdAt)
  );
}
