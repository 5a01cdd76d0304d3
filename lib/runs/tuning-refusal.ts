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

/** Why a decision makes no sense on a run that tunes a prompt; null where it does, and on other runs. */
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

/** What a guard held back was never tried: nothing may be made of it but an edit. */
function heldBackRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  // Without a version, guidance goes to whichever prompt the next proposal starts from.
  const wanted = input.decision === 'revise' ? (input.version ?? null) : decidedVersion(input, stored);
  const version = stored.history.versions.find(({ number }) => number === wanted);
  return version === undefined ? null : heldBack(version);
}

/** Refuses a prompt that a guard holds back; null for all others. */
export function heldBack(version: Version): Result<never> | null {
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

/** Problems that are allowed in a prompt by a person: missing variables, and examples. */
const LEFT_TO_PEOPLE: readonly ProposalProblem['kind'][] = ['missing_variable', 'copied_cases'];

/** Why a prompt that a person wrote from another one (`parent`: its text) cannot be tried; null where it can. They may leave out variables. */
export function promptRefusal(
  prompt: string,
  { history, settings }: Pick<StoredRun, 'history' | 'settings'>,
  parent: string | undefined,
): Result<never> | null {
  const { target } = settings.generator;
  const components = target === null ? null : componentsProblem(prompt, tunedNames(target));
  if (components !== null) return fail('invalid', `This text cannot be tested. ${components}`, 'output');
  const found = proposalProblems({ prompt, problem: null }, history, settings, { output: parent ?? '' });
  const problem = found.find((one) => isBlocking(one) && !LEFT_TO_PEOPLE.includes(one.kind));
  return problem === undefined ? null : fail('invalid', `This prompt cannot be tested. ${problem.text}`, 'output');
}
