import { describe, expect, test } from 'vitest';
import { ENTRIES } from '#lib/auth/entries.test-support.ts';
import { ROUTE_ROWS } from './route-rows.ts';
import { ROWS } from './rows.ts';
import { ABSENT, fillPath } from './staged-ids.ts';

describe('access matrix', () => {
  const names = ROWS.map(({ name }) => name);
  const known = new Set(names);

  test('has a row for every entry (if not, add the new page or action to e2e/matrix/*-rows.ts)', () => {
    expect(ENTRIES.filter(({ name }) => !known.has(name)).map(({ name, role }) => `${role}: ${name}`)).toEqual([]);
  });

  test('has one row per entry and none for a removed entry', () => {
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const entries = new Set(ENTRIES.map(({ name }) => name));
    expect([...names, ...Object.keys(ROUTE_ROWS)].filter((name) => !entries.has(name))).toEqual([]);
  });

  test('has the role that the code requires', () => {
    const listed = new Map(ROWS.map(({ name, from }) => [name, from]));
    const required = ENTRIES.map(({ name, role, open }) => ({ name, from: open ? 'public' : role }));
    const others = required.filter(({ name, from }) => listed.has(name) && listed.get(name) !== from);
    expect(others.map(({ name, from }) => `${name}: ${listed.get(name)} in the table, ${from} in the code`)).toEqual(
      [],
    );
  });

  test('stages an id for each path parameter', () => {
    for (const { path } of ENTRIES) if (path !== null) expect(fillPath(path, ABSENT)).not.toContain('{');
  });
});
