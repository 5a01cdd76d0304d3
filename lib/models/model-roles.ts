import { z } from 'zod';
import { type ExperimentSettings, type ModelReference, modelReferenceSchema } from '#lib/core/settings.ts';

/** Purpose of a default model, which is the experiment setting that it fills in. */
export const MODEL_ROLES = ['generator', 'judge', 'critic', 'embeddings'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

const choice = modelReferenceSchema.nullable();

/** A person's choice for each role. If null, Hone chooses the generator and embeddings, and judge and critic use the generator. */
export const chosenModelsSchema = z.strictObject({
  generator: choice.default(null),
  judge: choice.default(null),
  critic: choice.default(null),
  embeddings: choice.default(null),
});
export type ChosenModels = z.infer<typeof chosenModelsSchema>;

/** Changes of the defaults: an omitted role is kept, null clears a choice. */
export const chosenModelsPatchSchema = z.strictObject({
  generator: choice.optional(),
  judge: choice.optional(),
  critic: choice.optional(),
  embeddings: choice.optional(),
});

/** Default models of new experiments, prompts and playgrounds. If null, judge and critic use the generator. */
type DefaultModels = {
  generator: ModelReference;
  judge: ModelReference | null;
  critic: ModelReference | null;
  embeddings: ModelReference | null;
};

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

/** Returns settings with the default models. The embedding model is only set if none is named. */
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
