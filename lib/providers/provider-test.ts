import { z } from 'zod';
import { MODEL_FAILURE_KINDS } from '#lib/core/model-request.ts';

/** How a model does something: by the provider's own means, as told in the prompt, or not at all. */
const meansSchema = z.enum(['native', 'prompt', 'none']);
export type Means = z.infer<typeof meansSchema>;

/** What a small real call to one model came to. Times in milliseconds; `costUsd` is null where no price is known. */
const modelTestSchema = z.object({
  model: z.string(),
  ok: z.boolean(),
  latencyMs: z.number(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().nullable(),
  /** Whether it answers in JSON, and uses tools; null where that was not asked. */
  json: meansSchema.nullable(),
  tools: meansSchema.nullable(),
  /** What was said beside the answers, such as a parameter that the model refuses. */
  warnings: z.array(z.string()).default([]),
});
export type ModelTest = z.infer<typeof modelTestSchema>;

/**
 * What the last test of a provider came to. `models` are the names it lists, of the last time that it did; `remedy` is what to do
 * where it failed, empty where it did not; `failed` is how, `no_list` where a server answers that lists no models; `call` is there where a model was really asked.
 */
export const providerTestSchema = z.object({
  ok: z.boolean(),
  message: z.string(),
  remedy: z.string(),
  failed: z.enum([...MODEL_FAILURE_KINDS, 'no_list']).nullable(),
  models: z.array(z.string()),
  latencyMs: z.number(),
  call: modelTestSchema.nullable(),
});
export type ProviderTest = z.infer<typeof providerTestSchema>;
