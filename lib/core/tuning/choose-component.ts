import { type History, isFromCases } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { PlannedProposal } from '#lib/core/step.ts';
import { tunedNames } from '../targets/component-texts.ts';
import { effectiveScores } from './cases-of.ts';

type Tuned = Pick<ExperimentSettings, 'tune' | 'generator'>;

/**
 * The component that the next proposal from `parent` improves. `planned`: proposals that are made at the same time. Undefined: all of the
 * text. `round_robin`: each in turn, starting after the one that was improved to make the parent. `blame`: of those that feedback on these
 * cases names, the one improved least often, then the one named most often; if it names none, as `round_robin`. Source: GEPA (Agrawal et
 * al. 2025), module selection.
 */
export function chooseComponent(
  history: History,
  { tune, generator: { target } }: Tuned,
  { parent, positions }: Pick<PlannedProposal, 'parent' | 'positions'>,
  planned: readonly PlannedProposal[] = [],
): string | undefined {
  const names = target === null ? [] : tunedNames(target);
  if (names.length < 2 || tune.components === 'all') return undefined;
  const tried = [
    ...history.versions.flatMap(({ proposal, parents }) =>
      isFromCases(proposal) && parents[0] === parent ? [proposal] : [],
    ),
    ...planned.filter((one) => one.parent === parent),
  ];
  const last = names.indexOf(history.versions[parent]?.proposal?.component ?? '');
  const inTurn = names[(last + 1 + tried.length) % names.length];
  if (tune.components === 'round_robin') return inTurn;
  const blamed = namedComponents(history, names, parent, positions);
  const times = (name: string) => tried.filter(({ component }) => component === name).length;
  const [most] = [...blamed].sort(
    ([one, often], [other, lessOften]) =>
      times(one) - times(other) || lessOften - often || names.indexOf(one) - names.indexOf(other),
  );
  return most?.[0] ?? inTurn;
}

/** Counts how often feedback on the parent's outputs for these cases names each component, with or without underscores. */
function namedComponents(
  history: History,
  names: readonly string[],
  parent: number,
  positions: readonly number[],
): Map<string, number> {
  const tries = effectiveScores(history, parent);
  const said = positions.flatMap((position) => {
    const tried = tries.get(position);
    return tried === undefined ? [] : [tried.feedback, ...tried.issues.map(({ text }) => text), ...tried.suggestions];
  });
  const text = ` ${plain(said.join('\n'))} `;
  const counts = names.map((name): [string, number] => [name, text.split(` ${plain(name)} `).length - 1]);
  return new Map(counts.filter(([, count]) => count > 0));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
