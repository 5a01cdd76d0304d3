import { describe, expect, test } from 'vitest';
import { ENTRIES } from '#lib/auth/entries.test-support.ts';
import { ROUTE_ROWS } from './route-rows.ts';
import { ROWS } from './rows.ts';
import { ABSENT, fillPath } from './staged-ids.ts';

describe('the matrix of entries and roles', () => {
  const names = ROWS.map(({ name }) => name);
  const known = new Set(names);

  test('has a row for every way in (if not: say in e2e/matrix/*-rows.ts who may use the new page or action)', () => {
    expect(ENTRIES.filter(({ name }) => !known.has(name)).map(({ name, role }) => `${role}: ${name}`)).toEqual([]);
  });

  test('has one row for each, and none for what is gone', () => {
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const entries = new Set(ENTRIES.map(({ name }) => name));
    expect([...names, ...Object.keys(ROUTE_ROWS)].filter((name) => !entries.has(name))).toEqual([]);
  });

  test('promises the role that the code asks for', () => {
    const promised = new Map(ROWS.map(({ name, from }) => [name, from]));
    const asked = ENTRIES.map(({ name, role, open }) => ({ name, from: open ? 'nobody' : role }));
    const others = asked.filter(({ name, from }) => promised.has(name) && promised.get(name) !== from);
    expect(others.map(({ name, from }) => `${name}: ${promised.get(name)} promised, ${from} asked for`)).toEqual([]);
  });

  test('stages what stands in each address', () => {
    for (const { path } of ENTRIES) if (path !== null) expect(fillPath(path, ABSENT)).not.toContain('{');
  });
});
