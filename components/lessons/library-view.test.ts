import { describe, expect, test } from 'vitest';
import {
  isFiltered,
  type LibraryCounts,
  libraryFilter,
  libraryParams,
  readLibraryView,
  tabCount,
  tabsOf,
} from './library-view.ts';

const counts: LibraryCounts = {
  candidate: 2,
  quarantined: 3,
  promoted: 5,
  rejected: 7,
  archived: 11,
  review: 4,
  refuted: 1,
  merged: 6,
};
const read = (search: string) => {
  const params = new URLSearchParams(search);
  return readLibraryView((name) => params.get(name));
};

describe('library view in the URL', () => {
  test.each([
    { search: '', filter: { only: 'unmerged' } },
    { search: 'tab=review&q=time+zone', filter: { only: 'review', query: 'time zone' } },
    { search: 'tab=promoted&kind=skill_card', filter: { status: 'promoted', kind: 'skill_card' } },
    { search: 'tab=refuted&order=most_helpful', filter: { only: 'refuted', order: 'most_helpful' } },
    { search: 'by=agent&value=default', filter: { only: 'unmerged', scope: { by: 'agent', value: 'default' } } },
    { search: 'tab=nonsense&kind=nonsense&by=nonsense&value=x&order=nonsense', filter: { only: 'unmerged' } },
    { search: 'by=agent', filter: { only: 'unmerged' } },
    { search: 'tab=archived&year=2025', filter: { status: 'archived', only: 'unmerged', year: 2025 } },
    { search: 'tab=promoted&year=2025', filter: { status: 'promoted' } },
    { search: 'tab=archived&year=last', filter: { status: 'archived', only: 'unmerged' } },
    { search: 'tab=merged', filter: { only: 'merged' } },
    {
      search: 'by=taskType&value=Web+Scraping',
      filter: { only: 'unmerged', scope: { by: 'taskType', value: 'web scraping' } },
    },
  ])('round-trips “$search”', ({ search, filter }) => {
    const view = read(search);
    const plain = { query: '', kind: null, status: null, year: null, scope: null, only: null, order: 'newest' };
    expect(libraryFilter(view)).toEqual({ ...plain, ...filter });
    const written = new URLSearchParams(
      Object.entries(libraryParams(view)).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    expect(libraryFilter(read(written.toString()))).toEqual(libraryFilter(view));
  });

  test('search and filters count as filtered; tab and order do not', () => {
    expect(['q=a', 'kind=lesson', 'by=tool&value=x'].map((search) => isFiltered(read(search)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['', 'tab=review', 'order=most_helpful', 'by=tool'].map((search) => isFiltered(read(search)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('library tabs', () => {
  test('count merged lessons only in their own tab', () => {
    expect(tabCount(counts, 'all')).toBe(22);
    expect(tabCount(counts, 'archived')).toBe(5);
    expect(tabCount(counts, 'merged')).toBe(6);
    expect(tabCount(counts, 'review')).toBe(4);
  });

  test('show only tabs with lessons, plus the selected one', () => {
    const none = { ...counts, candidate: 0, refuted: 0, merged: 0 };
    expect(tabsOf(none, 'all')).toEqual(['all', 'review', 'promoted', 'rejected', 'archived']);
    expect(tabsOf(none, 'refuted')).toContain('refuted');
    expect(tabsOf(counts, 'all')).toHaveLength(8);
  });
});
