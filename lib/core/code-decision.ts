import { appendResult } from './append-result.ts';
import { editedVersion } from './edited-version.ts';
import type { Decision, Evaluation, History, Hook, Version } from './history.ts';
import { overrideScore, restoredScore } from './score-changes.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * What code may answer at a hook. `auto` leaves it to the rules; `continue` suspends them for what was judged so far and, at the
 * cap, grants one more iteration (before an evaluation it only has the version evaluated); so do `revise`, which tells the next
 * revision something, and `revert`, which starts it from another version; `accept` takes a version; `edit` and `merge` make one,
 * which is judged next; `override` gives a score from 0 to 1, to one criterion or to the whole, `restore` takes that back, and both
 * leave the rest to the rules. Where no version is named it is the one that the hook speaks of.
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

type Given = Exclude<ReflectionDecision, string> | { decision: Exclude<ReflectionDecision, object> };

/**
 * The history after code answered at a hook about a version. Throws for a version, criterion or score that is not there: that is a
 * mistake in the code.
 */
export function withCodeDecision(
  history: History,
  settings: ExperimentSettings,
  at: { hook: Hook; version: number },
  answer: ReflectionDecision,
  now: Date,
): History {
  if (answer === 'auto') return history;
  const given: Given = typeof answer === 'string' ? { decision: answer } : answer;
  const says = `${at.hook} answered ${given.decision}`;
  const about = versionAt(history, ('version' in given ? given.version : undefined) ?? at.version, says);
  const decision = decisionOf(history, at.hook, about, given, now);
  switch (given.decision) {
    case 'edit':
      return withHandWritten(history, decision, given.output, [about.number]);
    case 'merge':
      for (const parent of given.parents) versionAt(history, parent, says);
      return withHandWritten(history, decision, given.output, given.parents);
    case 'override':
      return withScore(history, decision, overridden(history, settings, decision, says, now));
    case 'restore': {
      const restored = restoredScore(history, about.number, { actor: 'code', reason: decision.reason }, now);
      if (restored === null) throw new Error(`${says}, but the score of version ${about.number} is not overridden`);
      return withScore(history, decision, restored);
    }
    case 'revert':
      if (settings.mode === 'retry')
        throw new Error(`${says}, but each attempt starts from scratch, so there is no version to revert to`);
      return { ...history, decisions: [...history.decisions, decision] };
    case 'accept':
    case 'auto':
    case 'continue':
    case 'revise':
    case 'stop':
      return { ...history, decisions: [...history.decisions, decision] };
  }
}

function decisionOf(history: History, hook: Hook, about: Version, given: Given, now: Date): Decision {
  const { decision } = given;
  const isOfTheVersion = decision === 'accept' || decision === 'override' || decision === 'restore';
  return {
    hook,
    version: about.number,
    // When it was said: what it speaks of may be an earlier version.
    iteration: (isOfTheVersion ? about : (history.versions.at(-1) ?? about)).iteration,
    decision,
    by: 'code',
    actor: null,
    reason: ('reason' in given ? given.reason : undefined) ?? null,
    score: 'score' in given ? given.score : null,
    criterion: ('criterion' in given ? given.criterion : undefined) ?? null,
    guidance: ('guidance' in given ? given.guidance : undefined) ?? null,
    toolCallId: null,
    toolArguments: null,
    seen: null,
    pauseId: null,
    at: now.toISOString(),
    step: history.step,
  };
}

function withHandWritten(history: History, decision: Decision, output: string, parents: number[]): History {
  const version = editedVersion(history, { output, parents, at: decision.at });
  const next = appendResult(history, { type: 'version', version });
  return { ...next, decisions: [...history.decisions, { ...decision, version: version.number }] };
}

function withScore(history: History, decision: Decision, evaluation: Evaluation): History {
  return {
    ...history,
    evaluations: [...history.evaluations, evaluation],
    decisions: [...history.decisions, decision],
  };
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
