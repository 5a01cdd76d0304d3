import { expect, test } from 'vitest';
import { findPageEntry } from './find-page-entry.ts';
import { PAGES } from './pages.ts';

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

test('finds every page by its own path', () => {
  expect(Object.keys(PAGES).length).toBeGreaterThan(20);
  for (const path of Object.keys(PAGES)) expect(findPageEntry(path.replaceAll(/\{\w+\}/g, 'x7'))?.path).toBe(path);
});
