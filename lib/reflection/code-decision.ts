import { appendResult } from './append-result.ts';
import { editedVersion } from './edited-version.ts';
import type { Decision, Evaluation, History } from './history.ts';
import { overrideScore } from './override-score.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * What code may answer when an output was reflected on. `auto` leaves it to the rules; `continue` suspends them for what was
 * judged so far and, at the cap, grants one more iteration; so do `revise`, which tells the next revision something, and `revert`,
 * which starts it from another version; `accept` takes a version (the one reflected on where none is named); `override` gives a
 * score from 0 to 1, to one criterion or to the whole, and leaves the rest to the rules; `edit` makes a version, which is judged next.
 */
export type ReflectionDecision =
  | 'auto'
  | 'continue'
  | 'accept'
  | 'stop'
  | { decision: 'continue' | 'stop'; reason?: string }
  | { decision: 'accept'; version?: number; reason?: string }
  | { decision: 'revise'; guidance: string; version?: number; reason?: string }
  | { decision: 'revert'; version: number; guidance?: string; reason?: string }
  | { decision: 'edit'; output: string; version?: number; reason?: string }
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
  const number = ('version' in given ? given.version : undefined) ?? evaluation.version;
  const made = history.versions.find((candidate) => candidate.number === number);
  if (made === undefined)
    throw new Error(
      `onReflection answered ${given.decision} of version ${number}, but there are versions 0 to ${history.versions.length - 1}`,
    );
  if (given.decision === 'revert' && settings.mode === 'retry')
    throw new Error('onReflection answered revert, but each attempt starts afresh: there is no version to go back to');
  const decision: Decision = {
    hook: 'onReflection',
    version: number,
    // When it was said: what it speaks of may be an earlier version.
    iteration: (given.decision === 'accept' ? made : (history.versions.at(-1) ?? made)).iteration,
    decision: given.decision,
    by: 'code',
    actor: null,
    reason,
    score: null,
    criterion: null,
    guidance: ('guidance' in given ? given.guidance : undefined) ?? null,
    seen: null,
    pauseId: null,
    at: now.toISOString(),
    step: history.step,
  };
  if (given.decision === 'edit') {
    const edited = editedVersion(history, { output: given.output, parents: [number], at: decision.at });
    const next = appendResult(history, { type: 'version', version: edited });
    return { ...next, decisions: [...history.decisions, { ...decision, version: edited.number }] };
  }
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
