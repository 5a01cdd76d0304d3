import type { History, Version } from '../history.ts';
import type { Step } from '../step.ts';
import { partOf, splitComponents } from '../targets/component-texts.ts';
import { combinationOf } from './candidate-state.ts';

export type CombineStep = Extract<Step, { type: 'combine' }>;

/** Fewest proposals of a combination. */
const FEWEST = 2;

/**
 * The combination of proposals that were accepted at the same time. They were made from the same prompt and from different cases, so each
 * lacks what the others improved. Null if fewer than two have the same parent, or if these are combined already.
 * Source: gradients of a batch are aggregated before a text is changed, TextGrad (Yuksekgonul et al. 2024).
 */
export function plannedCombination(history: History, accepted: readonly Version[]): CombineStep | null {
  for (const [parent, group] of Map.groupBy(accepted, ({ parents: [first] }) => first)) {
    if (parent === undefined || group.length < FEWEST) continue;
    const numbers = group.map(({ number }) => number);
    if (numbers.some((number) => combinationOf(history, number) !== null)) continue;
    const before = history.versions.find(({ number }) => number === parent);
    if (before === undefined) continue;
    const components = componentNames(before.output).filter((name) => changedTexts(before, group, name).length > 1);
    const round = Math.max(...group.map(({ proposal }) => proposal?.round ?? 0));
    return { type: 'combine', parent, versions: numbers, components, round };
  }
  return null;
}

/** The components of a text, or undefined for all of it. */
export function componentNames(text: string): (string | undefined)[] {
  const names = [...splitComponents(text).keys()];
  return names.length === 0 ? [undefined] : names;
}

/** The different texts that versions have for a component, without the one of the prompt they were made from. */
export function changedTexts(
  before: Pick<Version, 'output'>,
  versions: readonly Pick<Version, 'output'>[],
  component: string | undefined,
): string[] {
  const texts = new Set(versions.map(({ output }) => partOf(output, component)));
  texts.delete(partOf(before.output, component));
  return [...texts];
}
