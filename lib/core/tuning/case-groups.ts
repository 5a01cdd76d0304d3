import type { History } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { PlannedProposal } from '../step.ts';
import { effectiveScores } from './cases-of.ts';
import { caseLine, type ImprovedText, type TriedCase } from './proposal-prompt.ts';

/**
 * Most cases of one request of the reflection model. Models use the middle of a long list poorly (Liu et al. 2023, Lost in the Middle), and
 * name a few findings per reply, however many cases fail. Usual minibatches stay one request.
 */
export const MOST_CASES_AT_ONCE = 20;
/**
 * Most characters of the cases of one request: about 15,000 tokens, which leaves room for the prompt and the reply in a window of 32,000.
 */
export const MOST_CHARACTERS_AT_ONCE = 60_000;

/** The cases of a proposal with what its parent made of them. */
export function triedCases(
  history: Pick<History, 'cases' | 'versions' | 'tries'>,
  { parent, positions }: Pick<PlannedProposal, 'parent' | 'positions'>,
): TriedCase[] {
  const tries = effectiveScores(history, parent);
  return positions.flatMap((position) => {
    const task = history.cases.find((one) => one.position === position);
    const tried = tries.get(position);
    return task === undefined || tried === undefined ? [] : [{ case: task, tried }];
  });
}

/**
 * The cases in their order, in groups that fit into one request, of about the same number of cases. One group if all fit; a case that is
 * too long by itself is a group.
 */
export function caseGroups(tried: readonly TriedCase[], ground: ImprovedText): TriedCase[][] {
  const most = Math.ceil(tried.length / Math.max(1, Math.ceil(tried.length / MOST_CASES_AT_ONCE)));
  const groups: TriedCase[][] = [];
  let characters = 0;
  for (const one of tried) {
    const length = caseLine(one, ground).length;
    const group = groups.at(-1);
    if (group === undefined || group.length >= most || characters + length > MOST_CHARACTERS_AT_ONCE) {
      groups.push([one]);
      characters = length;
    } else {
      group.push(one);
      characters += length;
    }
  }
  return groups;
}

/** The number of requests that diagnose cases before a proposal is written: one for each group, none if all cases fit into its request. */
export function diagnosisCalls(
  history: Pick<History, 'cases' | 'versions' | 'tries'>,
  settings: Pick<ExperimentSettings, 'tune' | 'generator'>,
  plan: Pick<PlannedProposal, 'parent' | 'positions' | 'component'>,
): number {
  const { component } = plan;
  const groups = caseGroups(triedCases(history, plan), { settings, component }).length;
  return groups > 1 ? groups : 0;
}
