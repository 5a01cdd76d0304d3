import { expect, test } from 'vitest';
import type { RunRecord } from '#lib/core/run-record.ts';
import { ledgerRows } from './issue-ledger.tsx';
import { evaluationFixture, versionFixture } from './run.test-support.ts';

type State = RunRecord['issues'][number]['states'][string];

/** Builds a run whose versions have these issue states. null is an unscored version, undefined one not scored yet. */
function recordOf(versions: (Record<string, State> | null | undefined)[]): Pick<RunRecord, 'versions' | 'issues'> {
  const ids = new Set(versions.flatMap((states) => Object.keys(states ?? {})));
  return {
    versions: versions.map((states, number) =>
      versionFixture(number, states === undefined ? [] : [evaluationFixture(states === null ? null : 0.5)]),
    ),
    issues: [...ids].map((id) => ({
      id,
      text: `issue ${id}`,
      criterion: null,
      states: Object.fromEntries(
        versions.flatMap((states, number) => (states?.[id] === undefined ? [] : [[number, states[id]]])),
      ),
    })),
  };
}

type Case = { name: string; versions: (Record<string, State> | null | undefined)[]; rows: Record<string, string> };

test.each<Case>([
  {
    name: 'shows no state after an issue is resolved',
    versions: [{ a: 'opened' }, { a: 'resolved' }, {}],
    rows: { a: 'opened resolved none' },
  },
  { name: 'an issue stays open', versions: [{ a: 'opened' }, { a: 'open' }], rows: { a: 'opened open' } },
  {
    name: 'an issue returns after it was resolved',
    versions: [{ a: 'opened' }, { a: 'resolved' }, { a: 'again' }],
    rows: { a: 'opened resolved again' },
  },
  { name: 'an issue is opened in a later version', versions: [{}, { a: 'opened' }], rows: { a: 'none opened' } },
  {
    name: 'an unscored version is a gap and resolves no issue',
    versions: [{ a: 'opened' }, null, { a: 'resolved' }],
    rows: { a: 'opened unscored resolved' },
  },
  {
    name: 'an unscored version before an issue was opened',
    versions: [null, { a: 'opened' }],
    rows: { a: 'unscored opened' },
  },
  { name: 'a version that is not scored yet', versions: [{ a: 'opened' }, undefined], rows: { a: 'opened none' } },
])('$name', ({ versions, rows }) => {
  const ledger = ledgerRows(recordOf(versions));
  expect(Object.fromEntries(ledger.map((row) => [row.id, row.cells.join(' ')]))).toEqual(rows);
});

test('lists open issues first', () => {
  const ledger = ledgerRows(
    recordOf([
      { a: 'opened', b: 'opened' },
      { a: 'resolved', b: 'open' },
    ]),
  );
  expect(ledger.map(({ id, open }) => `${id} ${open}`)).toEqual(['b true', 'a false']);
});
