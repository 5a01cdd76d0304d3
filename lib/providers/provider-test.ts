import { z } from 'zod';
import { MODEL_FAILURE_KINDS } from '#lib/core/model-request.ts';

/** Support for a feature: through the provider's native API, through the prompt, or none. */
const meansSchema = z.enum(['native', 'prompt', 'none']);
export type Means = z.infer<typeof meansSchema>;

/** Result of a small test call to one model. Times are in milliseconds. `costUsd` is null if the price is unknown. */
const modelTestSchema = z.object({
  model: z.string(),
  ok: z.boolean(),
  latencyMs: z.number(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().nullable(),
  /** Support for JSON responses and for tools. Null if not tested. */
  json: meansSchema.nullable(),
  tools: meansSchema.nullable(),
  /** Warnings about the responses, such as a parameter that the model refuses. */
  warnings: z.array(z.string()).default([]),
});
export type ModelTest = z.infer<typeof modelTestSchema>;

/**
 * Result of a provider's last test. `models` is its last model list. `remedy` says what to do after a failure, and is empty on success.
 * `failed` is the kind of failure, `no_list` if the server responds without a model list. `call` is set if a model was called.
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
