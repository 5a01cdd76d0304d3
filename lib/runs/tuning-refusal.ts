import { decisionKind } from '#lib/core/decision-kinds.ts';
import type { ProposalProblem, Version } from '#lib/core/history.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { componentsProblem, tunedNames } from '#lib/core/targets/component-texts.ts';
import { isBlocking, isHeldBack } from '#lib/core/tuning/candidate-state.ts';
import { proposalProblems } from '#lib/core/tuning/proposal-problems.ts';
import { editRefusal, parentsOf } from './decide-edit.ts';
import { decidedVersion } from './decided-version.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';

/** Returns the reason a decision does not apply to a tuning run. Null if it applies, and for other runs. */
export function tuningRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  if (stored.settings.mode !== 'tune') return null;
  const { act, names } = decisionKind(input.decision);
  if (act === 'verdict') return names ? heldBackRefusal(input, stored) : null;
  if (act === 'hand_written')
    return (
      editRefusal(input, stored) ??
      promptRefusal(input.output ?? '', stored, outputOf(stored, parentsOf(input, stored)[0]))
    );
  if (input.decision !== 'override') return null;
  return fail(
    'conflict',
    'The score of a tuned prompt is the mean over its cases, so there is none to override. Accept the version you want, or edit it.',
    'decision',
  );
}

/**
 * Returns an error if the decision is about a prompt that a guard blocked, or null. Such a prompt was never run, so it can only be edited.
 */
function heldBackRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  // Without a version, guidance applies to whichever prompt the next proposal starts from.
  const wanted = input.decision === 'revise' ? (input.version ?? null) : decidedVersion(input, stored);
  const version = stored.history.versions.find(({ number }) => number === wanted);
  return version === undefined ? null : refuseHeldBack(version);
}

/** Returns an error for a prompt that a guard blocked, or null. */
export function refuseHeldBack(version: Version): Result<never> | null {
  if (!isHeldBack(version)) return null;
  const reasons = version.proposal?.problems.filter(isBlocking).map(({ text }) => text) ?? [];
  return fail(
    'conflict',
    `Version ${version.number} was held back before it was scored: ${reasons.join(' ')} Edit it into a version that can be scored.`,
    'version',
  );
}

function outputOf({ history }: Pick<StoredRun, 'history'>, version: number | undefined): string | undefined {
  return history.versions.find(({ number }) => number === version)?.output;
}

/** Problems that are allowed in hand-written prompts: missing variables, and examples copied from cases. */
const ALLOWED_PROMPT_PROBLEMS: readonly ProposalProblem['kind'][] = ['missing_variable', 'copied_cases'];

/**
 * Returns the reason a hand-written prompt cannot be run, or null. `parent` is the text of the prompt it was written from. Missing
 * variables are allowed.
 */
export function promptRefusal(
  prompt: string,
  { history, settings }: Pick<StoredRun, 'history' | 'settings'>,
  parent: string | undefined,
): Result<never> | null {
  const { target } = settings.generator;
  const components = target === null ? null : componentsProblem(prompt, tunedNames(target));
  if (components !== null) return fail('invalid', `This text cannot be tested. ${components}`, 'output');
  const found = proposalProblems({ prompt, problem: null }, history, settings, { output: parent ?? '' });
  const problem = found.find((one) => isBlocking(one) && !ALLOWED_PROMPT_PROBLEMS.includes(one.kind));
  return problem === undefined ? null : fail('invalid', `This prompt cannot be tested. ${problem.text}`, 'output');
}
