import { describe, expect, test } from 'vitest';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { movePromptLabel } from './move-prompt-label.ts';
import { createPrompt, deletePrompt } from './prompt-library.ts';
import { updatePromptSetup } from './prompt-setup.ts';
import { findPrompt, listPrompts } from './queries.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const create = async (name: string) =>
  unwrap(await createPrompt(context(), TESTER, { name, text: 'Sort {{input}}' })).name;

test('lists prompts by page, last changed first, and searches by part of the name', async () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const names = Array.from({ length: 120 }, (_, at) => `list/p${String(at).padStart(3, '0')}`);
  await db.database().prisma.prompt.createMany({
    // Many prompts share a timestamp, so the name breaks ties.
    data: names.map((name, at) => ({
      name,
      setup: {},
      latestVersion: 1,
      createdAt: now,
      updatedAt: new Date(now.getTime() - Math.floor(at / 50)),
    })),
  });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listPrompts>> = await listPrompts(
      db.database(),
      { search: 'LIST/p' },
      { cursor, limit: 17 },
    );
    seen.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(names);
  const found = await listPrompts(db.database(), { search: 'p11' }, { cursor: null, limit: 50 });
  expect(found.items).toHaveLength(10);
  expect((await listPrompts(db.database(), { search: '%' }, { cursor: null, limit: 50 })).items).toEqual([]);
});

test('lists the experiments whose newest settings tune a prompt', async () => {
  const name = await create('used/prompt');
  const settings = {
    name: 'Tuning',
    mode: 'tune',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
    prompts: { generate: 'Sort {{input}}' },
    tune: { prompt: { name, version: 1 } },
  };
  const { id } = unwrap(await createExperiment(context(), TESTER, settings));
  unwrap(await createExperiment(context(), TESTER, { ...settings, tune: { prompt: { name: 'other', version: 1 } } }));
  const prompt = await findPrompt(db.database(), name);
  expect(prompt?.uses).toMatchObject([{ experimentId: id, name: 'Tuning', version: 1 }]);
  const listed = await listPrompts(db.database(), { search: 'used/' }, { cursor: null, limit: 5 });
  expect(listed.items).toMatchObject([{ name, experiments: 1, latestVersion: 1, labels: [] }]);
});

describe('the setup of a prompt', () => {
  test('is updated field by field', async () => {
    const name = await create('setup/parts');
    const dataset = unwrap(await createDataset(context(), TESTER, { name: 'Mail', cases: [{ input: 'Hello' }] }));
    unwrap(await updatePromptSetup(context(), TESTER, name, { datasetId: dataset.id, temperature: 1 }));
    unwrap(await updatePromptSetup(context(), TESTER, name, { temperature: null, instructions: 'Be short.' }));
    expect((await findPrompt(db.database(), name))?.setup).toMatchObject({
      datasetId: dataset.id,
      temperature: null,
      instructions: 'Be short.',
    });
  });

  test.each([
    ['an unknown dataset', { datasetId: '00000000-0000-4000-8000-000000000000' }, 'datasetId'],
    ['a threshold out of range', { qualityThreshold: -1 }, 'qualityThreshold'],
    ['an unknown field', { dataset: 'x' }, 'dataset'],
    ['a value that is not an object', [], null],
  ])('is not changed to %s', async (what, change, field) => {
    const name = await create(`setup/${what.replaceAll(' ', '-')}`);
    const refused = await updatePromptSetup(context(), TESTER, name, change);
    expect(refused).toMatchObject({ problem: { code: 'invalid', field } });
  });

  test('is not found for an unknown prompt', async () => {
    expect(await updatePromptSetup(context(), TESTER, 'none', {})).toMatchObject({ problem: { code: 'not_found' } });
  });
});

test('deleting a prompt returns the number of deleted records', async () => {
  const name = await create('gone');
  unwrap(await movePromptLabel(context(), TESTER, name, 'production', { version: 1 }));
  expect(unwrap(await deletePrompt(context(), TESTER, name))).toEqual({
    deleted: { prompts: 1, versions: 1, labels: 1, moves: 1, drafts: 0, proofs: 0, paidReplies: 0 },
  });
  expect(await findPrompt(db.database(), name)).toBeNull();
  expect(await deletePrompt(context(), TESTER, name)).toMatchObject({ problem: { code: 'not_found' } });
});

test('keeps the changes of two people who change different parts of a setup at the same time', async () => {
  const name = await create('setups/at-once');
  const changes = [{ temperature: 1 }, { instructions: 'Be short.' }, { qualityThreshold: 0.5 }];
  const saved = await Promise.all(changes.map((change) => updatePromptSetup(context(), TESTER, name, change)));
  expect(saved.every(({ ok }) => ok)).toBe(true);
  expect((await findPrompt(db.database(), name))?.setup).toMatchObject(Object.assign({}, ...changes));
});
