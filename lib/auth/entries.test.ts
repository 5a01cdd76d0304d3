import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '#lib/api/routes.ts';
import { ENTRIES } from './entries.test-support.ts';
import { listEntries } from './list-entries.test-support.mjs';
import { PAGES, type PageRules } from './pages.ts';

const byPath = (one: { path: string | null }, other: { path: string | null }) =>
  String(one.path).localeCompare(String(other.path));

/** Entries with which every member changes their own data. */
const ABOUT_ONESELF = [
  'DELETE /api/v1/account/sessions',
  'DELETE /api/v1/account/sessions/{id}',
  'action changeMyPasswordAction',
  'action renameMeAction',
  'action makeMyTokenAction',
  'action revokeMyTokenAction',
  'action signOutAction',
];
/** Actions that check the ID themselves. */
const CHECK_THEIR_ID = ['revokeApiTokenAction'];
/** Entries open without authentication. */
const OPEN = ['action joinByLinkAction', 'page /join/{token}', 'action signInAction', 'page /sign-in'];

describe('entries of the app', () => {
  const listed = listEntries();

  test('are each authorized first and have a unique name', () => {
    expect(listed.problems).toEqual([]);
  });

  test('pages match the list of pages, and each is authorized by its own path', () => {
    const pages = listed.entries.filter(({ kind }) => kind === 'page');
    expect(pages.filter(({ name, path }) => name !== `page ${path}`)).toEqual([]);
    const rules = Object.entries<PageRules>(PAGES).map(([path, { role, isOpen }]) => ({ path, role, open: isOpen }));
    expect(pages.map(({ path, role, open }) => ({ path, role, open })).toSorted(byPath)).toEqual(
      rules.toSorted(byPath),
    );
  });

  test('routes are served only by their definitions', () => {
    expect(globSync('app/**/route.{ts,tsx}').toSorted()).toEqual([
      'app/api/[[...path]]/route.ts',
      'app/metrics/route.ts',
      // Serves two files that are identical in every installation.
      'app/sdk/[file]/route.ts',
    ]);
    const names = ROUTES.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('actions that begin with an id declare it, so that a malformed id is an error and not a crash', () => {
    const withoutRule = globSync('app/**/*actions.ts').flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('export const ')
        .filter((text) => /async \(_?actor, (?:id|\w+Id): string/.test(text) && !/\bid: '\w+'/.test(text))
        .map((text) => text.split(' ', 1)[0]),
    );
    expect(withoutRule.toSorted()).toEqual(CHECK_THEIR_ID);
  });

  test.each(['page', 'route', 'action'])(
    'include the kind %s, so that the test cannot pass on an empty list',
    (kind) => {
      expect(ENTRIES.some((entry) => entry.kind === kind)).toBe(true);
    },
  );

  test('viewers can write only their own data', () => {
    const written = ENTRIES.filter((entry) => entry.writes && entry.role === 'viewer' && !entry.open);
    expect(written.map(({ name }) => name).filter((name) => !ABOUT_ONESELF.includes(name))).toEqual([]);
  });

  test('only the listed entries need no authentication in team mode', () => {
    expect(ENTRIES.filter(({ open }) => open).map(({ name }) => name)).toEqual(OPEN);
  });
});

describe('API token', () => {
  const scopesOf = (name: string) => ROUTES.find((route) => route.name === name)?.scopes;

  test('with read scopes can write nothing, except to recall lessons', () => {
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

  test('never manages the team or reviews lessons', () => {
    const forPeople = ROUTES.filter(({ path }) => /^\/api\/v1\/(account|audit|invitations|members)(\/|$)/.test(path));
    expect(forPeople.length).toBeGreaterThan(8);
    expect(forPeople.filter(({ scopes }) => scopes !== null)).toEqual([]);
    expect(scopesOf('POST /api/v1/lessons/{id}/reviews')).toBeNull();
  });

  test('needs a lessons scope for lessons and a runs scope for all other routes', () => {
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
