import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { fail, failAll, type Refusal, type Result, succeed } from '#lib/core/problem.ts';
import { type ExperimentSettings, type ModelReference, modelReferenceSchema } from '#lib/core/settings.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { PRACTICE_MODEL, PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { ENVIRONMENT_KINDS, PROVIDER_DEFINITIONS, type StoredKind } from '#lib/providers/provider-kinds.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import { findSetting, writeSetting } from '#lib/settings/installation-settings.ts';
import { listKeyStates } from './provider-state.ts';
import { providerResolver } from './resolve-provider.ts';
import { listEnvironmentTests, listStoredProviders } from './stored-provider.ts';

/** Purpose of a default model, which is the experiment setting that it fills in. */
const MODEL_ROLES = ['generator', 'judge', 'critic', 'embeddings'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** Returns an object with the same value for every role. */
const forEachRole = <Value>(value: Value): Record<ModelRole, Value> => ({
  generator: value,
  judge: value,
  critic: value,
  embeddings: value,
});

const choice = modelReferenceSchema.nullable();

/** A person's choice for each role. If null, Hone chooses the generator and embeddings, and judge and critic use the generator. */
const chosenModelsSchema = z.strictObject(forEachRole(choice.default(null)));
export type ChosenModels = z.infer<typeof chosenModelsSchema>;

/** Changes of the defaults: an omitted role is kept, null clears a choice. */
export const chosenModelsPatchSchema = z.strictObject(forEachRole(choice.optional()));

const reference = z.object({ provider: z.string(), model: z.string() });

/** Defaults in use, a person's choices, and the reason for the generator. */
export const defaultModelsSchema = z.object({
  generator: reference,
  judge: reference.nullable().meta({ description: 'Null: the generator judges.' }),
  critic: reference.nullable().meta({ description: 'Null: the generator critiques.' }),
  embeddings: reference.nullable().meta({ description: 'Null: no connected provider lists an embedding model.' }),
  source: z.enum(['chosen', 'connected', 'practice']).meta({
    description:
      'Why this is the generator: a person chose it, it is the first model of the first connected provider, or no provider is connected.',
  }),
  chosen: z.object(forEachRole(reference.nullable())),
  missing: z.array(z.enum(MODEL_ROLES)).meta({ description: 'Roles whose chosen provider was deleted.' }),
  updatedBy: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
});
export type DefaultModelsView = z.infer<typeof defaultModelsSchema>;

/** Returns settings with the default models. The embedding model is only set if none is named. */
export function withDefaultModels(
  settings: ExperimentSettings,
  { generator, judge, critic, embeddings }: Pick<DefaultModelsView, ModelRole>,
): ExperimentSettings {
  return {
    ...settings,
    generator: { ...settings.generator, ...generator },
    evaluatorModel: judge,
    reflectionModel: critic,
    embeddingModel: settings.embeddingModel ?? embeddings,
  };
}

/** Names of models that generate no text. */
const NOT_TEXT =
  /embed|whisper|tts|dall-e|image|imagen|veo|sora|moderation|audio|realtime|transcri|speech|rerank|guard|babbage|davinci|\bbge\b|\be5\b/i;
const EMBEDS = /embed|\bbge\b|\be5\b|minilm/i;

/** Returns the first text model of a list, preferably one that matches the provider's usual models. */
export function firstTextModel(models: readonly string[], usual: RegExp | null): string | null {
  const texts = models.filter((name) => !NOT_TEXT.test(name));
  return (usual === null ? undefined : texts.find((name) => usual.test(name))) ?? texts[0] ?? null;
}

/** Returns the first embedding model of a list. */
export function firstEmbeddingModel(models: readonly string[]): string | null {
  return models.find((name) => EMBEDS.test(name)) ?? null;
}

const NOTHING_CHOSEN: ChosenModels = forEachRole(null);
const DEFAULT_MODELS_SETTING = { key: 'default_models', schema: chosenModelsSchema.catch(NOTHING_CHOSEN) };
type Stored = { chosen: ChosenModels; updatedBy: string | null; updatedAt: string | null };

type Connected = {
  name: string;
  kind: StoredKind;
  test: ProviderTest | null;
  isRefused: boolean;
  priced: string[];
};

/**
 * Returns the default models of new experiments, templates, prompts and the playground. A person's choice takes priority. The fallbacks are
 * the first text model of the first connected provider, then the practice model.
 */
export async function findDefaultModels(
  context: Pick<AppContext, 'database' | 'environmentKeys'>,
): Promise<DefaultModelsView> {
  const [{ chosen, ...rest }, providers] = await Promise.all([findChosen(context), listConnected(context)]);
  const isThere = (model: ModelReference | null) =>
    model !== null &&
    (model.provider === PRACTICE_PROVIDER.name || providers.some(({ name }) => name === model.provider));
  const missing = MODEL_ROLES.filter((role) => chosen[role] !== null && !isThere(chosen[role]));
  const keptChoice = (role: ModelRole) => (missing.includes(role) ? null : chosen[role]);
  const connected = firstOf(providers, textModelOf);
  const generator = keptChoice('generator') ?? connected;
  return {
    generator: generator ?? { provider: PRACTICE_PROVIDER.name, model: PRACTICE_MODEL },
    judge: keptChoice('judge'),
    critic: keptChoice('critic'),
    embeddings: keptChoice('embeddings') ?? firstOf(providers, embeddingModelOf),
    source: keptChoice('generator') !== null ? 'chosen' : connected !== null ? 'connected' : 'practice',
    chosen,
    missing,
    ...rest,
  };
}

/** Sets the default models of some roles. Null clears a choice. Returns the defaults in use. */
export async function updateDefaultModels(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<DefaultModelsView>> {
  const parsed = parseInput(chosenModelsPatchSchema, input);
  if (!parsed.ok) return parsed;
  const change = parsed.value;
  const refused = await refuseChoices(context, change);
  if (refused !== null) return refused;
  const now = context.now();
  await inTransaction(context.database, async (transaction) => {
    // The choices of other roles must not change between the read and the write.
    await lockUntilCommit(transaction, DEFAULT_MODELS_SETTING.key);
    const before = await findSetting({ prisma: transaction }, DEFAULT_MODELS_SETTING);
    const value = { ...(before?.value ?? NOTHING_CHOSEN), ...change };
    await writeSetting(transaction, DEFAULT_MODELS_SETTING, { value, updatedBy: actor.name, updatedAt: now });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'setting', id: DEFAULT_MODELS_SETTING.key, name: 'Default models' },
      change: Object.fromEntries(
        Object.entries(change).map(([role, model]) => [role, model ? `${model.provider}/${model.model}` : null]),
      ),
    });
  });
  return succeed(await findDefaultModels(context));
}

async function refuseChoices(
  context: AppContext,
  change: z.infer<typeof chosenModelsPatchSchema>,
): Promise<Result<never> | null> {
  const resolve = providerResolver(context);
  const refused: Refusal[] = [];
  for (const role of MODEL_ROLES) {
    const model = change[role];
    if (!model) continue;
    const kind = (await resolve(model.provider))?.kind;
    const field = `${role}.provider`;
    if (kind === undefined)
      refused.push(fail('invalid', `${field}: there is no provider named ${JSON.stringify(model.provider)}.`, field));
    else if (role === 'embeddings' && !PROVIDER_DEFINITIONS[kind].hasEmbeddings)
      refused.push(fail('invalid', `${field}: this provider has no embedding models. Choose another one.`, field));
  }
  return failAll(refused.flatMap((one) => (one.ok ? [] : one.problem)));
}

async function findChosen({ database }: DatabaseContext): Promise<Stored> {
  const { value, ...set } = (await findSetting(database, DEFAULT_MODELS_SETTING)) ?? { value: NOTHING_CHOSEN };
  return { chosen: value, updatedBy: null, updatedAt: null, ...set };
}

/** Returns all real providers: those of the environment, then the stored ones in order of creation. */
async function listConnected({
  database,
  environmentKeys,
}: Pick<AppContext, 'database' | 'environmentKeys'>): Promise<Connected[]> {
  const [stored, tests, keyStateOf] = await Promise.all([
    listStoredProviders(database, 'createdAt'),
    listEnvironmentTests(database),
    listKeyStates(database),
  ]);
  const isRefused = (provider: { name: string; baseUrl: string | null }) => keyStateOf(provider)?.state === 'refused';
  const environment = ENVIRONMENT_KINDS.filter(
    (kind) => environmentKeys[kind] !== undefined && !stored.some(({ name }) => name === kind),
  );
  return [
    ...environment.map((kind) => ({
      ...{ name: kind, kind, test: tests[kind]?.test ?? null, priced: [] },
      isRefused: isRefused({ name: kind, baseUrl: null }),
    })),
    ...stored.map((provider) => ({
      ...{ name: provider.name, kind: provider.kind, test: provider.test, priced: Object.keys(provider.prices) },
      isRefused: isRefused(provider),
    })),
  ];
}

function firstOf(
  providers: readonly Connected[],
  modelOf: (provider: Connected) => string | null,
): ModelReference | null {
  for (const provider of providers) {
    const model = modelOf(provider);
    if (model !== null) return { provider: provider.name, model };
  }
  return null;
}

/** Test failures that make every model of the provider unusable. */
const NOT_CONNECTED: readonly ProviderTest['failed'][] = ['no_key', 'unauthorized', 'forbidden'];

function textModelOf({ kind, test, isRefused, priced }: Connected): string | null {
  if (isRefused || test === null || NOT_CONNECTED.includes(test.failed)) return null;
  if (test.call?.ok) return test.call.model;
  return firstTextModel([...priced, ...test.models], PROVIDER_DEFINITIONS[kind].usualModels);
}

function embeddingModelOf({ kind, test, isRefused }: Connected): string | null {
  if (isRefused || test === null || NOT_CONNECTED.includes(test.failed) || !PROVIDER_DEFINITIONS[kind].hasEmbeddings)
    return null;
  return firstEmbeddingModel(test.models);
}
