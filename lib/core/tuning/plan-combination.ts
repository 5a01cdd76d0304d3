import type { History, Version } from '../history.ts';
import type { Step } from '../step.ts';
import { partOf, splitComponents } from '../targets/component-texts.ts';
import { combinationOf } from './candidate-state.ts';

export type CombineStep = Extract<Step, { type: 'combine' }>;

const MIN_COMBINED_PROPOSALS = 2;

/**
 * Plans the combination of proposals that were accepted in the same step. They are based on the same prompt and different cases, so each
 * lacks the others' improvements. Returns null if fewer than two have the same parent, or if these are already combined. Source: gradients
 * of a batch are aggregated before a text is changed, TextGrad (Yuksekgonul et al. 2024).
 */
export function plannedCombination(history: History, accepted: readonly Version[]): CombineStep | null {
  for (const [parent, group] of Map.groupBy(accepted, ({ parents: [first] }) => first)) {
    if (parent === undefined || group.length < MIN_COMBINED_PROPOSALS) continue;
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

/** Returns the names of a text's components, or undefined for the whole text. */
export function componentNames(text: string): (string | undefined)[] {
  const names = [...splitComponents(text).keys()];
  return names.length === 0 ? [undefined] : names;
}

/** Returns the distinct texts of versions for a component that differ from their parent's. */
export function changedTexts(
  before: Pick<Version, 'output'>,
  versions: readonly Pick<Version, 'output'>[],
  component: string | undefined,
): string[] {
  const texts = new Set(versions.map(({ output }) => partOf(output, component)));
  texts.delete(partOf(before.output, component));
  return [...texts];
}
