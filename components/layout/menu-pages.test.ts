import { describe, expect, test } from 'vitest';
import { currentPage, navigationOf } from './menu-pages.ts';

const namesOf = (role: Parameters<typeof navigationOf>[0]) =>
  navigationOf(role).map(({ name, pages }) => `${name}: ${pages.map((page) => page.name).join(', ')}`);

describe('navigation', () => {
  test('shows all groups to an owner', () => {
    expect(namesOf('owner')).toEqual([
      'Work: Home, Inbox',
      'Build: Prompts, Datasets, Targets, Experiments, Runs',
      'Learn: Lessons, Compare, Insights',
      'Settings: Models, Team, Webhooks and tools, Audit log, Backup',
      'Help: Docs',
    ]);
  });

  test('hides pages that a viewer may not open', () => {
    expect(namesOf('viewer')).toContain('Settings: Models');
  });
});

const PAGES = navigationOf('owner').flatMap(({ pages }) => pages);

test.each([
  ['/', '/'],
  ['/runs/0a1b2c3d', '/runs'],
  ['/runs', '/runs'],
  ['/settings', '/settings'],
  ['/settings/team', '/settings/team'],
  ['/prompts/support%2Ftriage/diff', '/prompts'],
  ['/search', null],
  ['/promptsmith', null],
])('%s belongs to %s', (path, expected) => {
  expect(currentPage(PAGES, path)).toBe(expected);
});
