import { beforeEach, describe, expect, test } from 'vitest';
import type { Result } from '#lib/core/problem.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { TESTER, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findDataset, listCaseChanges, listDatasetVersions } from './queries.ts';
import { deleteDataset, splitDatasetCases, updateDataset } from './update-dataset.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
let id = '';

beforeEach(async () => {
  const cases = [{ input: 'a' }, { input: 'b', tags: ['held_out', 'x'] }, { input: 'c' }];
  id = granted(await createDataset(context(), TESTER, { name: 'Three', cases })).id;
});

function granted<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

async function inputs(version: number | null = null): Promise<string[] | undefined> {
  return (await findDataset(db.database(), id, 10, 0, version))?.cases.map(({ input }) => input);
}

describe('updateDataset', () => {
  test('creates one version for all its parts and keeps older versions unchanged', async () => {
    const change = { add: [{ input: 'd' }], change: [{ number: 1, input: 'A', reference: '1' }], remove: [3] };
    const changed = granted(await updateDataset(context(), TESTER, id, { ...change, message: 'Corrected' }));
    expect(changed).toEqual({ version: 2, caseCount: 3, added: 1, changed: 1, removed: 1 });
    expect([await inputs(1), await inputs(2), await inputs()]).toEqual([
      ['a', 'b', 'c'],
      ['A', 'b', 'd'],
      ['A', 'b', 'd'],
    ]);
    const { items } = await listDatasetVersions(db.database(), id, { cursor: null, limit: 10 });
    expect(items).toMatchObject([
      { version: 2, caseCount: 3, added: 1, changed: 1, removed: 1, actor: 'Tester', message: 'Corrected' },
      { version: 1, caseCount: 3, added: 3, actor: 'Tester', message: null },
    ]);
    const changes = await listCaseChanges(db.database(), id, 2, { cursor: 0, limit: 10 });
    expect(changes.items).toMatchObject([
      { number: 1, before: { input: 'a', reference: null }, after: { input: 'A', reference: '1' } },
      { number: 3, before: { input: 'c' }, after: null },
      { number: 4, before: null, after: { input: 'd' } },
    ]);
  });

  test('does not reuse the number of a removed case', async () => {
    granted(await updateDataset(context(), TESTER, id, { remove: [3] }));
    granted(await updateDataset(context(), TESTER, id, { add: [{ input: 'd' }] }));
    const { items } = await listCaseChanges(db.database(), id, 3, { cursor: 0, limit: 10 });
    expect(items).toMatchObject([{ number: 4, after: { input: 'd' } }]);
    expect(granted(await deleteDataset(context(), TESTER, id))).toEqual({ deleted: { datasets: 1, cases: 3 } });
  });

  test('creates no version for an identical case or a new name', async () => {
    const same = { name: 'Other', change: [{ number: 2, tags: ['held_out', 'x'] }] };
    expect(granted(await updateDataset(context(), TESTER, id, same))).toMatchObject({ version: 1, changed: 0 });
    expect(await findDataset(db.database(), id)).toMatchObject({ name: 'Other', latestVersion: 1 });
  });

  test.each([
    [
      'a held-out case moved to another split',
      { change: [{ number: 2, tags: ['train'] }] },
      'conflict',
      'change.0.tags',
    ],
    ['a held-out case without a split', { change: [{ number: 2, tags: ['x'] }] }, 'conflict', 'change.0.tags'],
    ['two splits for one case', { add: [{ input: 'd', tags: ['train', 'validation'] }] }, 'invalid', 'add.0.tags'],
    ['an unknown case', { remove: [4] }, 'not_found', 'change'],
    ['a case named twice', { remove: [1], change: [{ number: 1, input: 'x' }] }, 'invalid', 'change'],
    ['a change to an older version', { version: 7, remove: [1] }, 'conflict', 'version'],
    ['an empty input', { change: [{ number: 1, input: '' }] }, 'invalid', 'change.0.input'],
  ])('refuses %s and changes nothing', async (_name, change, code, field) => {
    expect(
      await updateDataset(context(), TESTER, id, { name: 'Gone', add: [{ input: 'z' }], ...change }),
    ).toMatchObject({
      ok: false,
      problem: { code, field },
    });
    expect(await findDataset(db.database(), id)).toMatchObject({ name: 'Three', latestVersion: 1, caseCount: 3 });
  });

  test('reports a conflict to one of two concurrent changes to the same version', async () => {
    const both = await Promise.all(
      ['x', 'y'].map((input) => updateDataset(context(), TESTER, id, { version: 1, add: [{ input }] })),
    );
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });
});

describe('splitDatasetCases', () => {
  test('assigns a split to the cases without one, as a new version', async () => {
    const division = { heldOutShare: 0, validationShare: 0.5, seed: 3 };
    const divided = granted(await splitDatasetCases(context(), TESTER, id, division));
    expect(divided).toEqual({ version: 2, train: 1, validation: 1, heldOut: 0 });
    expect(await findDataset(db.database(), id)).toMatchObject({ train: 1, validation: 1, heldOut: 1 });
    expect((await findDataset(db.database(), id, 10, 0, 1))?.cases.map(({ tags }) => tags)).toEqual([
      [],
      ['held_out', 'x'],
      [],
    ]);
    expect(await splitDatasetCases(context(), TESTER, id, division)).toMatchObject({ problem: { code: 'conflict' } });
  });

  test.each([
    ['heldOutShare', { heldOutShare: 1.5 }],
    ['seed', { seed: 0.5 }],
    ['balanceBy', { balanceBy: 'moon' }],
  ])('refuses an invalid %s', async (field, input) => {
    expect(await splitDatasetCases(context(), TESTER, id, input)).toMatchObject({
      problem: { code: 'invalid', field },
    });
  });
});
