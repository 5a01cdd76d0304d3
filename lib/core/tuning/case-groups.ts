import { versionNumbered } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { PlannedProposal } from '../step.ts';
import { effectiveScores, type TriedHistory } from './case-scores.ts';
import { caseLine, type ImprovedText, type TriedCase } from './proposal-prompt.ts';

/**
 * Maximum number of cases in one request to the reflection model. Models use the middle of a long list poorly (Liu et al. 2023, Lost in the
 * Middle), and name a few findings per response, however many cases fail. Usual minibatches fit into one request.
 */
export const MAX_CASES_PER_REQUEST = 20;
/** Maximum characters of the cases in one request: about 15,000 tokens, so that prompt and response fit in 32,000 with them. */
export const MAX_CASES_LENGTH_PER_REQUEST = 60_000;

/** Returns the cases of a proposal with their parent's example scores. */
export function triedCases(
  history: TriedHistory,
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
 * Splits the cases in order into groups of similar size that each fit into one request. Returns one group if all fit. A case that exceeds
 * the limit alone is a group.
 */
export function caseGroups(tried: readonly TriedCase[], ground: ImprovedText): TriedCase[][] {
  const most = Math.ceil(tried.length / Math.max(1, Math.ceil(tried.length / MAX_CASES_PER_REQUEST)));
  const groups: TriedCase[][] = [];
  let characters = 0;
  for (const one of tried) {
    const length = caseLine(one, ground).length;
    const group = groups.at(-1);
    if (group === undefined || group.length >= most || characters + length > MAX_CASES_LENGTH_PER_REQUEST) {
      groups.push([one]);
      characters = length;
    } else {
      group.push(one);
      characters += length;
    }
  }
  return groups;
}

/** Returns the number of requests that diagnose cases before a proposal: one per group, or none if all cases fit into its request. */
export function diagnosisCalls(
  history: TriedHistory,
  settings: Pick<ExperimentSettings, 'tune' | 'generator'>,
  plan: Pick<PlannedProposal, 'parent' | 'positions' | 'component'>,
): number {
  const { component } = plan;
  const parent = versionNumbered(history, plan.parent).output;
  const groups = caseGroups(triedCases(history, plan), { settings, parent, component }).length;
  return groups > 1 ? groups : 0;
}
