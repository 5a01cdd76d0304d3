import { beforeEach, describe, expect, test } from 'vitest';
import { EXPERIMENT_TEMPLATES } from '#components/experiment/experiment-templates.ts';
import { createPrompt } from '#lib/prompts/prompt-library.ts';
import { findPrompt } from '#lib/prompts/queries.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { deleteProvider, saveProvider } from './change-providers.ts';
import {
  findDefaultModels,
  firstEmbeddingModel,
  firstTextModel,
  updateDefaultModels,
  withDefaultModels,
} from './default-models.ts';
import { saveProviderTest } from './stored-provider.ts';

const db = useTestDatabase();
beforeEach(async () => {
  const { prisma } = db.database();
  await prisma.provider.deleteMany();
  await prisma.installationSetting.deleteMany();
});
const PRACTICE = { provider: 'practice', model: 'practice-1' };

async function connect(name: string, test: Partial<ProviderTest>) {
  const context = testContext(db.database());
  const baseUrl = 'http://127.0.0.1:9/v1';
  unwrap(await saveProvider(context, TESTER, { name, kind: 'openai-compatible', baseUrl, apiKey: 'sk-1' }));
  const done = { ok: true, message: '', remedy: '', failed: null, models: [], latencyMs: 1, call: null, ...test };
  await saveProviderTest(context.database.prisma, { name, baseUrl }, done, context.now());
  return context;
}

describe('default models', () => {
  test('are the practice model, or the first text model of the first connected provider', async () => {
    const context = testContext(db.database());
    expect(await findDefaultModels(context)).toMatchObject({ generator: PRACTICE, source: 'practice', judge: null });
    await connect('zeta', { models: ['text-embedding-9', 'chat-9'] });
    await connect('alpha', { models: ['other'] });
    expect(await findDefaultModels(context)).toMatchObject({
      generator: { provider: 'zeta', model: 'chat-9' },
      embeddings: { provider: 'zeta', model: 'text-embedding-9' },
      source: 'connected',
    });
  });

  test.each([
    ['whose key was rejected', { ok: false, failed: 'unauthorized' as const, models: ['chat-9'] }],
    ['without models', { models: [] }],
  ])('are not taken from a provider %s', async (_, tested) => {
    const context = await connect('wrong', tested);
    expect(await findDefaultModels(context)).toMatchObject({ generator: PRACTICE, source: 'practice' });
  });

  test('are the models chosen by an owner until their provider is deleted', async () => {
    const context = await connect('mine', { models: ['a', 'b'] });
    const chosen = { provider: 'mine', model: 'b' };
    unwrap(await updateDefaultModels(context, TESTER, { judge: chosen }));
    unwrap(await updateDefaultModels(context, TESTER, { generator: PRACTICE }));
    expect(await findDefaultModels(context)).toMatchObject({
      generator: PRACTICE,
      judge: chosen,
      source: 'chosen',
      missing: [],
    });
    unwrap(await deleteProvider(context, TESTER, 'mine', { evenInUse: true }));
    expect(await findDefaultModels(context)).toMatchObject({
      judge: null,
      missing: ['judge'],
      chosen: { judge: chosen },
    });
  });

  test('keep the choices of two owners who save at the same time', async () => {
    const context = testContext(db.database());
    unwrap(await updateDefaultModels(context, TESTER, { judge: null }));
    const roles = ['generator', 'judge', 'critic'] as const;
    const other = await db.database().pool.connect();
    await other.query('BEGIN');
    await other.query("SELECT 1 FROM installation_settings WHERE key = 'default_models' FOR UPDATE");
    const updates = roles.map((role) => updateDefaultModels(context, TESTER, { [role]: PRACTICE }));
    const waiting =
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await other.query(waiting)).rows, { timeout: 30_000 }).toEqual([{ count: 3 }]);
    await other.query('COMMIT');
    other.release();
    for (const update of updates) unwrap(await update);
    const { chosen } = await findDefaultModels(context);
    expect(chosen).toEqual({ generator: PRACTICE, judge: PRACTICE, critic: PRACTICE, embeddings: null });
  });

  test('are refused with all problems at once if a provider does not exist', async () => {
    const context = testContext(db.database());
    const refused = await updateDefaultModels(context, TESTER, {
      generator: { provider: 'nowhere', model: 'a' },
      critic: { provider: 'nowhere', model: 'a' },
    });
    expect(refused).toMatchObject({
      ok: false,
      problem: { all: [{ field: 'generator.provider' }, { field: 'critic.provider' }] },
    });
  });

  test('are the models of a new prompt that names none', async () => {
    const context = await connect('mine', { models: ['a'] });
    unwrap(await createPrompt(context, TESTER, { name: 'begun', text: 'Sort {{input}}' }));
    unwrap(await createPrompt(context, TESTER, { name: 'own', text: 'Sort', setup: { models: [PRACTICE] } }));
    expect((await findPrompt(context.database, 'begun'))?.setup.models).toEqual([{ provider: 'mine', model: 'a' }]);
    expect((await findPrompt(context.database, 'own'))?.setup.models).toEqual([PRACTICE]);
  });

  test('replace the models of a template', () => {
    const [template] = EXPERIMENT_TEMPLATES;
    if (template === undefined) throw new Error('there is no template');
    const mine = { provider: 'mine', model: 'a' };
    const settings = withDefaultModels(template.settings, {
      generator: mine,
      judge: mine,
      critic: null,
      embeddings: null,
    });
    expect(settings).toMatchObject({ generator: mine, evaluatorModel: mine, reflectionModel: null });
    expect(settings.generator.instructions).toBe(template.settings.generator.instructions);
  });
});

test.each([
  [['dall-e-3', 'gpt-4o', 'gpt-5-mini'], /^gpt-5-mini$/, 'gpt-5-mini'],
  [['whisper-1', 'llama3.2:3b'], null, 'llama3.2:3b'],
  [['nomic-embed-text'], null, null],
])('the first text model of %j is %s', (models, usual, first) => {
  expect(firstTextModel(models, usual)).toBe(first);
});

test('finds an embedding model by its name', () => {
  expect(firstEmbeddingModel(['gpt-5', 'text-embedding-3-small'])).toBe('text-embedding-3-small');
  expect(firstEmbeddingModel(['gpt-5'])).toBeNull();
});
