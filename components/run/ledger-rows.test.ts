import { expect, test } from 'vitest';
import type { EvaluationRecord } from '#lib/reflection/run-record.ts';
import { ledgerRows } from './ledger-rows.ts';
import { evaluationFixture, versionFixture } from './run-fixture.ts';

type State = EvaluationRecord['issues'][number]['state'];

/** One version whose evaluation names these issues; null makes it unscored, undefined not judged yet. */
function version(number: number, issues: Record<string, State> | null | undefined) {
  if (issues === undefined) return versionFixture(number, []);
  const named = Object.entries(issues ?? {}).map(([id, state]) => ({
    id,
    text: `issue ${id}`,
    criterion: null,
    state,
  }));
  return versionFixture(number, [evaluationFixture(issues === null ? null : 0.5, { issues: named })]);
}

type Case = { name: string; versions: (Record<string, State> | null | undefined)[]; rows: Record<string, string> };

test.each<Case>([
  { name: 'resolved once, then silent', versions: [{ a: 'opened' }, {}, {}], rows: { a: 'opened resolved none' } },
  { name: 'stands', versions: [{ a: 'opened' }, { a: 'open' }], rows: { a: 'opened open' } },
  { name: 'comes back', versions: [{ a: 'opened' }, {}, { a: 'again' }], rows: { a: 'opened resolved again' } },
  { name: 'opened later', versions: [{}, { a: 'opened' }], rows: { a: 'none opened' } },
  {
    name: 'unscored is a gap and resolves nothing',
    versions: [{ a: 'opened' }, null, {}],
    rows: { a: 'opened unscored resolved' },
  },
  { name: 'a gap before it was opened', versions: [null, { a: 'opened' }], rows: { a: 'unscored opened' } },
  { name: 'not judged yet', versions: [{ a: 'opened' }, undefined], rows: { a: 'opened none' } },
])('$name', ({ versions, rows }) => {
  const ledger = ledgerRows({ versions: versions.map((issues, number) => version(number, issues)) });
  expect(Object.fromEntries(ledger.map((row) => [row.id, row.cells.join(' ')]))).toEqual(rows);
});

test('issues that still stand come first', () => {
  const ledger = ledgerRows({ versions: [version(0, { a: 'opened', b: 'opened' }), version(1, { b: 'open' })] });
  expect(ledger.map(({ id, open }) => `${id} ${open}`)).toEqual(['b true', 'a false']);
});
