import type { Decision, Evaluation, History } from './history.ts';
import { overrideScore } from './override-score.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * What code may answer when an output was reflected on. `auto` leaves it to the rules; `continue` suspends them for what was
 * judged so far and, at the cap, grants one more iteration; `accept` takes a version (the one reflected on where none is named);
 * `override` gives a score from 0 to 1, to one criterion or to the whole, and leaves the rest to the rules.
 */
export type ReflectionDecision =
  | 'auto'
  | 'continue'
  | 'accept'
  | 'stop'
  | { decision: 'continue' | 'stop'; reason?: string }
  | { decision: 'accept'; version?: number; reason?: string }
  | { decision: 'override'; score: number; criterion?: string; reason?: string };

/** The history after code decided on a version that was just evaluated. Throws for a version, criterion or score that is not there. */
export function withCodeDecision(
  history: History,
  settings: ExperimentSettings,
  evaluation: Evaluation,
  answer: ReflectionDecision,
  now: Date,
): History {
  if (answer === 'auto') return history;
  const given = typeof answer === 'string' ? { decision: answer } : answer;
  const reason = 'reason' in given ? (given.reason ?? null) : null;
  const version = given.decision === 'accept' && 'version' in given ? given.version : undefined;
  const number = version ?? evaluation.version;
  const made = history.versions.find((candidate) => candidate.number === number);
  if (made === undefined)
    throw new Error(
      `onReflection accepted version ${number}, but there are versions 0 to ${history.versions.length - 1}`,
    );
  const decision: Decision = {
    hook: 'onReflection',
    version: number,
    iteration: made.iteration,
    decision: given.decision,
    by: 'code',
    actor: null,
    reason,
    score: null,
    criterion: null,
    pauseId: null,
    at: now.toISOString(),
    step: history.step,
  };
  if (given.decision !== 'override') return { ...history, decisions: [...history.decisions, decision] };
  const { score, criterion = null } = given;
  if (!(score >= 0 && score <= 1)) throw new Error(`onReflection gave the score ${score}, not a number from 0 to 1`);
  if (criterion !== null && !settings.criteria.some(({ name }) => name === criterion))
    throw new Error(`onReflection scored the criterion ${criterion}, which the settings do not have`);
  const scored = overrideScore(history, settings, { version: number, score, criterion, actor: 'code', reason }, now);
  return {
    ...history,
    evaluations: scored === null ? history.evaluations : [...history.evaluations, scored],
    decisions: [...history.decisions, { ...decision, score, criterion }],
  };
}
