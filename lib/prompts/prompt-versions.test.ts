import { describe, expect, test } from 'vitest';
import type { PromptOptions } from '#lib/core/prompt-options.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { insertExperiment } from '#lib/experiments/create-experiment.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { createPrompt } from './prompt-library.ts';
import { tuningStart } from './prompt-setup.ts';
import { findPrompt, findPromptDraft, findPromptVersion, getPromptText } from './queries.ts';
import { savePromptDraft, savePromptVersion } from './save-prompt-version.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const ADA = { id: 'ada', name: 'Ada', role: 'editor' } as const;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const CRITERION = { name: 'exact', evaluator: 'reference', config: { match: 'exact' } };

let made = 0;
async function newPrompt(setup: object = {}): Promise<string> {
  made += 1;
  const input = { name: `mail/triage-${made}`, text: 'Sort {{input}}', setup };
  return unwrap(await createPrompt(context(), TESTER, input)).name;
}

test('a new prompt has a first version and a setup', async () => {
  const name = await newPrompt({ criteria: [CRITERION], qualityThreshold: 0.9 });
  expect(await findPrompt(db.database(), name)).toMatchObject({
    name,
    latestVersion: 1,
    setup: {
      datasetId: null,
      models: [{ provider: 'practice', model: 'practice-1' }],
      criteria: [{ name: 'exact' }],
      qualityThreshold: 0.9,
    },
    versions: [{ number: 1, message: 'First version', parent: null, run: null, length: 14, createdBy: 'Tester' }],
    labels: [],
    moves: [],
    uses: [],
  });
});

test('numbers versions consecutively, lists newest first and keeps each text', async () => {
  const name = await newPrompt();
  const second = { text: 'Sort the mail {{input}}', message: 'Says what', parent: 1, latest: 1 };
  expect(unwrap(await savePromptVersion(context(), ADA, name, second))).toEqual({ name, version: 2 });
  unwrap(await savePromptVersion(context(), TESTER, name, { text: 'Other {{input}}', message: 'Anew' }));
  const prompt = await findPrompt(db.database(), name);
  expect(prompt?.versions.map(({ number, parent, createdBy }) => [number, parent, createdBy])).toEqual([
    [3, null, 'Tester'],
    [2, 1, 'Ada'],
    [1, null, 'Tester'],
  ]);
  expect(await findPromptVersion(db.database().prisma, name, { version: 2 })).toMatchObject({ text: second.text });
  expect(await findPromptVersion(db.database().prisma, name, 'newest')).toMatchObject({ number: 3 });
  expect(await findPromptVersion(db.database().prisma, name, { label: 'production' })).toBeNull();
});

test('accepts one of two concurrent saves and names its author to the other', async () => {
  const name = await newPrompt();
  const saves = await Promise.all(
    ['One {{input}}', 'Two {{input}}'].map((text) =>
      savePromptVersion(context(), ADA, name, { text, message: 'Mine', parent: 1, latest: 1 }),
    ),
  );
  const lost = saves.find(({ ok }) => !ok);
  expect(lost).toMatchObject({
    problem: {
      code: 'conflict',
      message: expect.stringMatching(
        /^Ada saved version 2 at \d+ \w{3} \d{4}, \d\d:\d\d UTC \("Mine"\) while you were editing\. /,
      ),
    },
  });
  expect((await findPrompt(db.database(), name))?.versions).toHaveLength(2);
});

test("saving a version deletes the author's draft and keeps those of others", async () => {
  const name = await newPrompt();
  const draft = (actorId: string) => ({
    promptName: name,
    actorId,
    text: 'New',
    baseVersion: 1,
    updatedAt: new Date(),
  });
  await db.database().prisma.promptDraft.createMany({ data: [draft(ADA.id), draft(TESTER.id)] });
  const save = { text: 'New', message: 'Shorter', parent: 1 };
  unwrap(await savePromptVersion(context(), ADA, name, save, { dropDraft: true }));
  const left = await db.database().prisma.promptDraft.findMany({ where: { promptName: name } });
  expect(left.map(({ actorId }) => actorId)).toEqual([TESTER.id]);
});

describe('a version is refused', () => {
  test.each([
    ['that equals its parent', { text: 'Sort {{input}}', message: 'Same', parent: 1 }, 'text'],
    ['that equals the newest', { text: 'Sort {{input}}', message: 'Same' }, 'text'],
    ['without a text', { text: ' \n', message: 'Nothing' }, 'text'],
    ['without a message', { text: 'New', message: ' ' }, 'message'],
    ['with an unknown parent', { text: 'New', message: 'New', parent: 9 }, 'parent'],
    ['with an unknown run', { text: 'New', message: 'New', run: { id: NOBODY, version: 0 } }, 'run'],
    ['with an unknown field', { text: 'New', message: 'New', label: 'x' }, 'label'],
  ])('%s', async (_name, input, field) => {
    const name = await newPrompt();
    expect(await savePromptVersion(context(), ADA, name, input)).toMatchObject({
      problem: { code: 'invalid', field },
    });
    expect((await findPrompt(db.database(), name))?.latestVersion).toBe(1);
  });

  test('of an unknown prompt', async () => {
    const refused = await savePromptVersion(context(), ADA, 'none', { text: 'New', message: 'New' });
    expect(refused).toMatchObject({ problem: { code: 'not_found' } });
  });
});

describe('a prompt is refused', () => {
  test.each([
    ['without a name', { name: '' }, 'name'],
    ['with a space in its name', { name: 'mail triage' }, 'name'],
    ['with a parent directory in its name', { name: 'mail/../triage' }, 'name'],
    ['with a trailing slash in its name', { name: 'mail/' }, 'name'],
    ['with a URL as name', { name: 'new' }, 'name'],
    ['with a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['without a text', { text: '' }, 'text'],
    ['with an unknown dataset', { setup: { datasetId: NOBODY } }, 'setup.datasetId'],
    ['without models', { setup: { models: [] } }, 'setup.models'],
    [
      'with a model of an unknown provider',
      { setup: { models: [{ provider: 'none', model: 'x' }] } },
      'setup.models.0.provider',
    ],
    [
      'with a judge of an unknown provider',
      { setup: { evaluatorModel: { provider: 'none', model: 'x' } } },
      'setup.evaluatorModel.provider',
    ],
    ['with two criteria of the same name', { setup: { criteria: [CRITERION, CRITERION] } }, 'setup.criteria'],
    [
      'with a human criterion',
      { setup: { criteria: [{ name: 'a', evaluator: 'human' }] } },
      'setup.criteria.0.evaluator',
    ],
    [
      'with an embedding criterion',
      { setup: { criteria: [{ ...CRITERION, config: { match: 'embedding' } }] } },
      'setup.criteria.0.config.match',
    ],
    ['with a threshold out of range', { setup: { qualityThreshold: 2 } }, 'setup.qualityThreshold'],
  ])('%s', async (_name, change, field) => {
    const refused = await createPrompt(context(), TESTER, { name: 'refused', text: 'Sort {{input}}', ...change });
    expect(refused).toMatchObject({ problem: { code: 'invalid', field } });
    expect(await findPrompt(db.database(), 'refused')).toBeNull();
  });

  test('whose name is already in use', async () => {
    const name = await newPrompt();
    expect(await createPrompt(context(), TESTER, { name, text: 'Other' })).toMatchObject({
      problem: { code: 'conflict', field: 'name' },
    });
  });
});

test('the API returns the messages of a chat prompt, and null for a plain prompt', async () => {
  const name = await newPrompt();
  const text = '{{role "system"}}\nBe brief.\n\n{{history}}\n\n{{role "user"}}\nSort {{input}}';
  unwrap(await savePromptVersion(context(), ADA, name, { text, message: 'Asks in messages', parent: 1 }));
  expect(unwrap(await getPromptText(context(), name, { version: 1 })).messages).toBeNull();
  expect(unwrap(await getPromptText(context(), name, 'newest')).messages).toEqual([
    { role: 'system', text: 'Be brief.' },
    { role: 'history', text: '' },
    { role: 'user', text: 'Sort {{input}}' },
  ]);
});

describe('tools and a response schema', () => {
  const TOOL = { name: 'refund', description: 'Pays back.', parameters: { type: 'object', properties: {} } };
  const SCHEMA = { name: 'label', schema: { type: 'object', properties: { label: { type: 'string' } } } };

  test('belong to a version, and changing only them creates a new version', async () => {
    const name = await newPrompt();
    const same = { text: 'Sort {{input}}', message: 'Offers a tool', parent: 1 };
    expect((await savePromptVersion(context(), ADA, name, same)).ok).toBe(false);
    unwrap(await savePromptVersion(context(), ADA, name, { ...same, tools: [TOOL], responseSchema: SCHEMA }));
    const read = await findPromptVersion(db.database().prisma, name, { version: 2 });
    expect(read).toMatchObject({ tools: [TOOL], responseSchema: SCHEMA });
    expect(await findPromptVersion(db.database().prisma, name, { version: 1 })).toMatchObject({
      ...{ tools: [], responseSchema: null },
    });
  });

  test('are named in the list of versions', async () => {
    const name = await newPrompt();
    const made = { text: 'Sort {{input}}', message: 'Offers tools', parent: 1 };
    const tools = [TOOL, { ...TOOL, name: 'ask' }];
    unwrap(await savePromptVersion(context(), ADA, name, { ...made, tools, responseSchema: SCHEMA }));
    expect((await findPrompt(db.database(), name))?.versions).toMatchObject([
      { number: 2, toolNames: ['refund', 'ask'], schemaName: 'label' },
      { number: 1, toolNames: [], schemaName: null },
    ]);
  });

  test('are tuned with the version that an experiment uses', async () => {
    const input = { name: 'mail/with-tools', text: 'Sort {{input}}', tools: [TOOL], responseSchema: SCHEMA };
    unwrap(await createPrompt(context(), TESTER, input));
    const start = await tuningStart(context(), input.name, null);
    expect(start?.settings.generator).toMatchObject({ tools: [TOOL], responseSchema: SCHEMA });
  });

  test('are refused with the field name if invalid', async () => {
    const name = await newPrompt();
    const broken = { type: 'object', $ref: '#/$defs/none' };
    const sent = { text: 'Sort it {{input}}', message: 'Broken', tools: [{ ...TOOL, parameters: broken }] };
    expect(await savePromptVersion(context(), ADA, name, sent)).toMatchObject({
      problem: { field: 'tools.0.parameters', message: expect.stringContaining('#/$defs/none') },
    });
  });

  test('are stored with a draft, and a change of only them in another window conflicts', async () => {
    const name = await newPrompt();
    const draft = { text: 'Sort {{input}}', tools: [TOOL], baseVersion: 1 };
    const kept = unwrap(await savePromptDraft(context(), ADA, name, draft));
    expect(await findPromptDraft(db.database(), { name, actorId: 'ada' })).toMatchObject({ tools: [TOOL] });
    const since = '2020-01-01T00:00:00.000Z';
    expect(kept.status).toBe('kept');
    expect(unwrap(await savePromptDraft(context(), ADA, name, { ...draft, since }))).toMatchObject({ status: 'kept' });
    expect(unwrap(await savePromptDraft(context(), ADA, name, { ...draft, tools: [], since }))).toMatchObject({
      status: 'changed',
      draft: { tools: [TOOL] },
    });
  });

  test('keep the order of properties because models respond in that order', async () => {
    const schema = { type: 'object', properties: { reasoning: { type: 'string' }, answer: { type: 'string' } } };
    const options = {
      tools: [{ ...TOOL, parameters: schema }],
      responseSchema: { name: 'label', schema },
    };
    const ordered = JSON.stringify(options);
    const orderOf = (from: Partial<PromptOptions> | null | undefined) =>
      JSON.stringify({ tools: from?.tools, responseSchema: from?.responseSchema });
    const name = await newPrompt();
    const body = { text: 'Sort {{input}}', ...options };
    unwrap(await savePromptDraft(context(), ADA, name, { ...body, baseVersion: 1 }));
    unwrap(await savePromptVersion(context(), TESTER, name, { ...body, message: 'With options', parent: 1 }));
    const draftKey = { name, actorId: 'ada' };
    expect(orderOf(await findPromptDraft(db.database(), draftKey))).toBe(ordered);
    expect(orderOf(await findPromptVersion(db.database().prisma, name, { version: 2 }))).toBe(ordered);

    const id = context().newId();
    const settings = settingsSchema.parse({
      ...PRACTICE_WRITING,
      generator: { provider: 'practice', model: 'practice-1', ...options },
    });
    await inTransaction(db.database(), (transaction) =>
      insertExperiment(transaction, { id, name: 'ordered', settings, now: new Date() }),
    );
    const stored = await findExperiment(db.database(), id);
    expect(JSON.stringify(stored?.settings.generator)).toBe(JSON.stringify(settings.generator));
  });
});
