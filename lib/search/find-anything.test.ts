import { beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#lib/database/transactions.ts';
import { casesSchema } from '#lib/datasets/case-input.ts';
import { insertDataset } from '#lib/datasets/dataset-versions.ts';
import { makeSearchable } from '#lib/runs/run-measures.ts';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { findAnything } from './find-anything.ts';

const db = useTestDatabase();
let runId: string;

beforeAll(async () => {
  const context = testContext(db.database());
  runId = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain the bicycle policy' });
  await performRun(testWorkerContext(context), runId);
  await makeSearchable(context, new AbortController().signal);
  const cases = casesSchema.parse([
    { input: 'Where is my bicycle bell?', reference: 'In the parcel' },
    { input: 'Other' },
  ]);
  const dataset = { id: context.newId(), name: '100 % bicycle questions', cases, now: context.now() };
  await inTransaction(db.database(), (transaction) => insertDataset(transaction, dataset));
});

const kindsOf = async (typed: string) => (await findAnything(db.database(), typed)).map(({ kind }) => kind);

describe('findAnything', () => {
  test('finds by name and text, with the page of each result', async () => {
    const found = await findAnything(db.database(), 'bicyc');
    expect(found).toContainEqual(expect.objectContaining({ kind: 'dataset', name: '100 % bicycle questions' }));
    const [foundCase] = found.filter(({ kind }) => kind === 'case');
    expect(foundCase).toMatchObject({ name: 'Where is my bicycle bell?', note: '100 % bicycle questions' });
    expect(foundCase?.path).toMatch(/^\/datasets\/.+\?find=Where\+is\+my\+bicycle\+bell%3F$/);
    expect(found.filter(({ path }) => path.startsWith(`/runs/${runId}`))).toHaveLength(1);
  });

  test('finds a section of the docs with its anchor', async () => {
    const found = await findAnything(db.database(), 'rolling restart');
    expect(found).toContainEqual({
      kind: 'doc',
      path: '/docs/operations/scaling#rolling-restart',
      name: 'Rolling restart',
      note: 'Scale out and restart',
    });
  });

  test('finds a case by its reference', async () => {
    expect(await kindsOf('parcel')).toEqual(['case']);
  });

  test('finds a run by its number, also with leading zeros', async () => {
    const { number } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
    const found = await findAnything(db.database(), `#${String(number).padStart(4, '0')}`);
    expect(found).toContainEqual(expect.objectContaining({ kind: 'run', path: `/runs/${runId}` }));
  });

  test('returns recent items for an empty query', async () => {
    expect(new Set(await kindsOf('  '))).toEqual(new Set(['experiment', 'dataset', 'run']));
  });

  test.each([['%'], ['_'], ["'"], ['\\'], ['\u0000'], ['!&|']])('handles %j', async (typed) => {
    await expect(findAnything(db.database(), typed)).resolves.toBeInstanceOf(Array);
  });

  test('matches a percent sign literally', async () => {
    expect((await kindsOf('0 %')).filter((kind) => kind !== 'doc')).toEqual(['dataset']);
  });
});
