import { z } from 'zod';

const count = z.int().min(0);
const score = z.number().min(0).max(1);

/** What a prompt's text made of one case under one model, and how it was scored. */
export const promptEvaluationSchema = z.object({
  output: z.string(),
  finishReason: z.string(),
  status: z.enum(['scored', 'partial']).meta({ description: 'partial: a criterion could not be scored.' }),
  score: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  satisfactory: z.boolean(),
  feedback: z.string().meta({ description: 'What models may read of it.' }),
  detail: z.string().meta({ description: 'For people only: may hold references.' }),
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().nullable(),
  durationMs: count,
  createdAt: z.string(),
});
export type PromptEvaluation = z.infer<typeof promptEvaluationSchema>;

/** One of the answers that were asked for: places in the request's texts and models, and the case's in the dataset, from 0. */
const cellShape = { text: count, model: count, position: count };
export type EvaluationCell = { text: number; model: number; position: number };

/**
 * What the stream of a proof tells, one JSON object a line. `begin`: of `cells` answers `known` are kept already; the others take about
 * `calls` calls. `text`: a piece of an answer while it is written. `known`: it was kept before, and cost nothing now. `failed`: no answer or
 * no judge, and what can be done. `end`: calls really made and what they cost; `stopped`: cells that were not tried because it was called off.
 */
export const evaluationEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), cells: count, known: count, calls: count }),
  z.object({ type: z.literal('text'), ...cellShape, piece: z.string() }),
  z.object({ type: z.literal('proof'), ...cellShape, known: z.boolean(), proof: promptEvaluationSchema }),
  z.object({ type: z.literal('failed'), ...cellShape, message: z.string(), remedy: z.string() }),
  z.object({
    type: z.literal('end'),
    calls: count,
    inputTokens: count,
    outputTokens: count,
    costUsd: z.number(),
    unpriced: z.boolean(),
    stopped: count,
  }),
]);
export type ProofEvent = z.infer<typeof evaluationEventSchema>;
