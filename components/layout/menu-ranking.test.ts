import { describe, expect, test } from 'vitest';
import { rankGroups } from './menu-ranking.ts';

const place = (name: string) => ({ value: `go ${name}`, name });
const found = (name: string, weight = 1) => ({ value: `found ${name}`, name, least: 0.05, weight });
const OUTPUTS = { value: 'outputs', name: 'Search in outputs', least: 1, weight: 0.02 };

const namesOf = (groups: ReturnType<typeof rankGroups>) => groups.map(({ entries }) => entries.map(({ name }) => name));

describe('the entries of the command menu', () => {
  const groups = [
    { heading: 'Go to', entries: [place('Home'), place('Datasets')] },
    { heading: 'Do', entries: [{ ...place('Switch to dark'), find: 'theme light dark' }] },
    { heading: 'Experiments', entries: [] },
  ];

  test('stay in their order when nothing was typed, without empty groups', () => {
    expect(rankGroups(groups, '').map(({ heading }) => heading)).toEqual(['Go to', 'Do']);
  });

  test('are those that fit what was typed', () => {
    expect(namesOf(rankGroups(groups, 'datas'))).toEqual([['Datasets']]);
  });

  test('are found by other words than their name', () => {
    expect(namesOf(rankGroups(groups, 'theme'))).toEqual([['Switch to dark']]);
  });

  test('are none when nothing fits', () => {
    expect(rankGroups(groups, 'zebra')).toEqual([]);
  });

  test('that fit better come first, in their group and as a group', () => {
    const ranked = rankGroups(
      [
        { heading: 'Runs', entries: [found('Something else'), found('A sum')] },
        { heading: 'Lessons', entries: [found('Sum up first'), found('Sum')] },
      ],
      'sum',
    );
    expect(namesOf(ranked)).toEqual([
      ['Sum', 'Sum up first'],
      ['A sum', 'Something else'],
    ]);
  });

  test('that were found in texts are shown whatever their name is, before the search in outputs', () => {
    const ranked = rankGroups(
      [
        { heading: 'In outputs', entries: [OUTPUTS] },
        { heading: 'Cases', entries: [found('Twelve eggs')] },
      ],
      'bakery',
    );
    expect(namesOf(ranked)).toEqual([['Twelve eggs'], ['Search in outputs']]);
  });

  test('of the docs come after things of the same name', () => {
    const ranked = rankGroups(
      [
        { heading: 'Docs', entries: [found('Datasets', 0.5)] },
        { heading: 'Datasets', entries: [found('Datasets')] },
      ],
      'datasets',
    );
    expect(ranked.map(({ heading }) => heading)).toEqual(['Datasets', 'Docs']);
  });

  test('that fit equally well keep their order', () => {
    const ranked = rankGroups(
      [
        { heading: 'Experiments', entries: [found('Mental arithmetic')] },
        { heading: 'Datasets', entries: [found('Mental arithmetic')] },
      ],
      'arithmetic',
    );
    expect(ranked.map(({ heading }) => heading)).toEqual(['Experiments', 'Datasets']);
  });
});
