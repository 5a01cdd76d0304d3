import { expect, test } from 'vitest';
import { experimentsQuery, isListFiltered, readExperimentsView } from './experiments-view.ts';

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readExperimentsView((name) => params.get(name));
};

test.each([
  { name: 'an empty query', query: '', same: '', filtered: false },
  { name: 'only a sort order', query: 'sort=success', same: 'sort=success', filtered: false },
  { name: 'the default sort order', query: 'sort=newest', same: '', filtered: false },
  {
    name: 'all parameters',
    query: 'q=a%26b&mode=retry&model=x&origin=control&models=real&state=waiting&sort=name',
    same: 'q=a%26b&mode=retry&model=x&origin=control&models=real&state=waiting&sort=name',
    filtered: true,
  },
  { name: 'unknown parameters', query: 'mode=other&state=asleep&sort=up&page=2', same: '', filtered: false },
  { name: 'a search', query: 'q=sums', same: 'q=sums', filtered: true },
])('the query of the experiment list: $name', ({ query, same, filtered }) => {
  const view = read(query);
  expect(experimentsQuery(view)).toBe(same);
  expect(read(same)).toEqual(view);
  expect(isListFiltered(view)).toBe(filtered);
});
