import { expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { splitCases } from '#lib/experiments/split-cases.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { insertDataset } from './dataset-versions.ts';
import { listTunableDatasets } from './queries.ts';

const { database } = useTestDatabase();

const OLDER = '11111111-1111-4111-8111-111111111111';
const NEWER = '22222222-2222-4222-8222-222222222222';

test('counts tags as the split interprets them', async () => {
  const tags = [['train'], ['train', 'validation'], ['held-out', 'validation'], ['held_out'], ['other'], []];
  const cases = tags.map((of, at) => ({ input: `case ${at}`, reference: null, tags: of, metadata: {} }));
  await inTransaction(database(), async (transaction) => {
    await insertDataset(transaction, { id: OLDER, name: 'Older', cases, now: new Date('2026-01-01') });
    await insertDataset(transaction, { id: NEWER, name: 'Newer', cases: cases.slice(4), now: new Date('2026-01-02') });
  });

  const [newer] = await listTunableDatasets(database(), { datasetId: null, limit: 1 });
  expect(newer).toMatchObject({ name: 'Newer', caseCount: 2, tagged: { train: 0, validation: 0, held_out: 0 } });

  const [, asked] = await listTunableDatasets(database(), { datasetId: OLDER, limit: 1 });
  expect(asked).toMatchObject({ name: 'Older', caseCount: 6, tagged: { train: 1, validation: 1, held_out: 2 } });
  const split = splitCases(cases.slice(0, 4), settingsOf({ mode: 'tune' }).tune).map((one) => one.split);
  expect(split).toEqual(['train', 'validation', 'held_out', 'held_out']);
});
