import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '#lib/api/routes.ts';
import { ENTRIES } from './entries.test-support.ts';
import { listEntries } from './list-entries.test-support.mjs';
import { PAGES, type PageRules } from './pages.ts';

const byPath = (one: { path: string | null }, other: { path: string | null }) =>
  String(one.path).localeCompare(String(other.path));

/** What every member may change: what is their own. */
const ABOUT_ONESELF = [
  'DELETE /api/v1/account/sessions',
  'DELETE /api/v1/account/sessions/{id}',
  'action changeMyPasswordAction',
  'action renameMeAction',
  'action endMySessionAction',
  'action endMyOtherSessionsAction',
  'action makeMyTokenAction',
  'action revokeMyTokenAction',
  'action signOutAction',
];
/** What whoever reaches the app may do. */
const OPEN = ['action joinByLinkAction', 'page /join/{token}', 'action signInAction', 'page /sign-in'];

describe('the entries of this app', () => {
  const listed = listEntries();

  test('each is authorized first, with a name of its own', () => {
    expect(listed.problems).toEqual([]);
  });

  test('pages are the ones in the list of pages, each asking by its own path', () => {
    const pages = listed.entries.filter(({ kind }) => kind === 'page');
    expect(pages.filter(({ name, path }) => name !== `page ${path}`)).toEqual([]);
    const rules = Object.entries<PageRules>(PAGES).map(([path, { role, isOpen }]) => ({ path, role, open: isOpen }));
    expect(pages.map(({ path, role, open }) => ({ path, role, open })).toSorted(byPath)).toEqual(
      rules.toSorted(byPath),
    );
  });

  test('routes are answered by the definitions alone', () => {
    expect(globSync('app/**/route.{ts,tsx}').toSorted()).toEqual([
      'app/api/[[...path]]/route.ts',
      'app/metrics/route.ts',
      // Two files that are the same in every installation.
      'app/sdk/[file]/route.ts',
    ]);
    const names = ROUTES.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test.each(['page', 'route', 'action'])(
    'hold some of the kind %s, so that the walk cannot pass by finding nothing',
    (kind) => {
      expect(ENTRIES.some((entry) => entry.kind === kind)).toBe(true);
    },
  );

  test('nothing that writes is open to viewers, but what is about themselves', () => {
    const written = ENTRIES.filter((entry) => entry.writes && entry.role === 'viewer' && !entry.open);
    expect(written.map(({ name }) => name).filter((name) => !ABOUT_ONESELF.includes(name))).toEqual([]);
  });

  test('only these are open to strangers in team mode', () => {
    expect(ENTRIES.filter(({ open }) => open).map(({ name }) => name)).toEqual(OPEN);
  });
});

describe('an API token', () => {
  const scopesOf = (name: string) => ROUTES.find((route) => route.name === name)?.scopes;

  test('with scopes to read may write nothing, but recall lessons', () => {
    const open = ROUTES.filter(
      ({ method, scopes }) => method !== 'GET' && (scopes ?? ['people']).every((scope) => scope.endsWith(':read')),
    );
    expect(open.map(({ name }) => name).toSorted()).toEqual(
      [
        ...['DELETE', 'PATCH', 'POST', 'PUT'].map((method) => `${method} /api/{rest}`),
        ...['DELETE /api/mcp', 'POST /api/mcp', 'POST /api/v1/lessons/recall'],
      ].toSorted(),
    );
  });

  test('never manages the team, and never reviews lessons', () => {
    const forPeople = ROUTES.filter(({ path }) => /^\/api\/v1\/(account|audit|invitations|members)(\/|$)/.test(path));
    expect(forPeople.length).toBeGreaterThan(8);
    expect(forPeople.filter(({ scopes }) => scopes !== null)).toEqual([]);
    expect(scopesOf('POST /api/v1/lessons/{id}/reviews')).toBeNull();
  });

  test('needs a scope of lessons for lessons, and one of runs for all else', () => {
    for (const { path, scopes, name } of ROUTES) {
      if (scopes === null || scopes.length === 0) continue;
      const expected = path.startsWith('/api/v1/lessons') ? 'lessons:' : 'runs:';
      expect({ name, fits: scopes.some((scope) => scope.startsWith(expected)) }).toEqual({ name, fits: true });
    }
    expect(scopesOf('POST /api/v1/lessons/{id}/trials')).toEqual(['lessons:write', 'runs:write']);
    expect(scopesOf('POST /api/v1/lessons/{id}/instructions')).toEqual(['lessons:write', 'runs:write']);
    expect(scopesOf('GET /api/v1/search')).toEqual(['lessons:read', 'runs:read']);
  });
});
