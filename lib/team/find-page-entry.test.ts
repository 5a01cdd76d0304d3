import { expect, test } from 'vitest';
import { ENTRIES } from './entries.ts';
import { findPageEntry } from './find-page-entry.ts';

test.each([
  ['/', 'page /'],
  ['/settings', 'page /settings'],
  ['/settings/', 'page /settings'],
  ['/experiments/new', 'page /experiments/new'],
  ['/experiments/0199/edit', 'page /experiments/{id}/edit'],
  ['/experiments/0199', 'page /experiments/{id}'],
  ['/nothing', undefined],
  ['/api/v1/runs', undefined],
])('%s', (path, name) => {
  expect(findPageEntry(path)?.name).toBe(name);
});

test('every page is found by its own path', () => {
  const pages = ENTRIES.filter(({ kind, exported }) => kind === 'page' && exported === 'default');
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) expect(findPageEntry(page.path?.replaceAll(/\{\w+\}/g, 'x7') ?? '')).toEqual(page);
});
