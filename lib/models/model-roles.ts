import { z } from 'zod';
import { type ExperimentSettings, type ModelReference, modelReferenceSchema } from '#lib/core/settings.ts';

/** What a default model is for, and the setting of an experiment that it fills in. */
export const MODEL_ROLES = ['generator', 'judge', 'critic', 'embeddings'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

const choice = modelReferenceSchema.nullable();

/** What a person chose for each role. Null: the generator and embeddings are chosen by Hone, judge and critic use the generator. */
export const chosenModelsSchema = z.strictObject({
  generator: choice.default(null),
  judge: choice.default(null),
  critic: choice.default(null),
  embeddings: choice.default(null),
});
export type ChosenModels = z.infer<typeof chosenModelsSchema>;

/** As defaults are changed: a role that is left out stays as it is, null takes a choice back. */
export const chosenModelsPatchSchema = z.strictObject({
  generator: choice.optional(),
  judge: choice.optional(),
  critic: choice.optional(),
  embeddings: choice.optional(),
});

/** The models that new experiments, prompts and playgrounds begin with. Judge and critic null: the generator plays them too. */
type DefaultModels = {
  generator: ModelReference;
  judge: ModelReference | null;
  critic: ModelReference | null;
  embeddings: ModelReference | null;
};

const reference = z.object({ provider: z.string(), model: z.string() });

/** The defaults in use, what a person chose of them, and why the generator is the one it is. */
export const defaultModelsSchema = z.object({
  generator: reference,
  judge: reference.nullable().meta({ description: 'Null: the generator judges.' }),
  critic: reference.nullable().meta({ description: 'Null: the generator critiques.' }),
  embeddings: reference.nullable().meta({ description: 'Null: no connected provider lists an embedding model.' }),
  source: z.enum(['chosen', 'connected', 'practice']).meta({
    description:
      'Why this is the generator: a person chose it, it is the first model of the first connected provider, or no provider is connected.',
  }),
  chosen: z.object({
    generator: reference.nullable(),
    judge: reference.nullable(),
    critic: reference.nullable(),
    embeddings: reference.nullable(),
  }),
  missing: z.array(z.enum(MODEL_ROLES)).meta({ description: 'Roles whose chosen provider was deleted.' }),
  updatedBy: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
});
export type DefaultModelsView = z.infer<typeof defaultModelsSchema>;

/** Settings that begin with the default models in place of their own; the embedding model only where none is named. */
export function withDefaultModels(
  settings: ExperimentSettings,
  { generator, judge, critic, embeddings }: DefaultModels,
): ExperimentSettings {
  return {
    ...settings,
    generator: { ...settings.generator, ...generator },
    evaluatorModel: judge,
    reflectionModel: critic,
    embeddingModel: settings.embeddingModel ?? embeddings,
  };
}

/** Names of models that write no texts, whatever they do instead. */
const NOT_TEXT =
  /embed|whisper|tts|dall-e|image|imagen|veo|sora|moderation|audio|realtime|transcri|speech|rerank|guard|babbage|davinci|\bbge\b|\be5\b/i;
const EMBEDS = /embed|\bbge\b|\be5\b|minilm/i;

/** The first of a list that answers in text: what the provider is usually asked for goes first. */
export function firstTextModel(models: readonly string[], usual: RegExp | null): string | null {
  const texts = models.filter((name) => !NOT_TEXT.test(name));
  return (usual === null ? undefined : texts.find((name) => usual.test(name))) ?? texts[0] ?? null;
}

/** The first of a list that makes vectors. */
export function firstEmbeddingModel(models: readonly string[]): string | null {
  return models.find((name) => EMBEDS.test(name)) ?? null;
}
