import { describe, expect, test } from 'vitest';
import { rankGroups } from './menu-ranking.ts';

const page = (name: string) => ({ value: `go ${name}`, name });
const found = (name: string, weight = 1) => ({ value: `found ${name}`, name, least: 0.05, weight });
const OUTPUTS = { value: 'outputs', name: 'Search in outputs', least: 1, weight: 0.02 };

const namesOf = (groups: ReturnType<typeof rankGroups>) => groups.map(({ entries }) => entries.map(({ name }) => name));

describe('rankGroups', () => {
  const groups = [
    { heading: 'Go to', entries: [page('Home'), page('Datasets')] },
    { heading: 'Do', entries: [{ ...page('Switch to dark'), find: 'theme light dark' }] },
    { heading: 'Experiments', entries: [] },
  ];

  test('keeps the order and drops empty groups for an empty query', () => {
    expect(rankGroups(groups, '').map(({ heading }) => heading)).toEqual(['Go to', 'Do']);
  });

  test('returns the entries that match the query', () => {
    expect(namesOf(rankGroups(groups, 'datas'))).toEqual([['Datasets']]);
  });

  test('matches keywords other than the name', () => {
    expect(namesOf(rankGroups(groups, 'theme'))).toEqual([['Switch to dark']]);
  });

  test('returns nothing if no entry matches', () => {
    expect(rankGroups(groups, 'zebra')).toEqual([]);
  });

  test('ranks better matches first, within and across groups', () => {
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

  test('shows full-text matches whatever their name, before the search in outputs', () => {
    const ranked = rankGroups(
      [
        { heading: 'In outputs', entries: [OUTPUTS] },
        { heading: 'Cases', entries: [found('Twelve eggs')] },
      ],
      'bakery',
    );
    expect(namesOf(ranked)).toEqual([['Twelve eggs'], ['Search in outputs']]);
  });

  test('ranks docs after other entries with the same name', () => {
    const ranked = rankGroups(
      [
        { heading: 'Docs', entries: [found('Datasets', 0.5)] },
        { heading: 'Datasets', entries: [found('Datasets')] },
      ],
      'datasets',
    );
    expect(ranked.map(({ heading }) => heading)).toEqual(['Datasets', 'Docs']);
  });

  test('keeps the order of equally good matches', () => {
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
