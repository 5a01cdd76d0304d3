import { z } from 'zod';
import { MODEL_FAILURE_KINDS } from '#lib/core/model-request.ts';
import type { MissingInput } from '#lib/core/unscorable-cases.ts';
import { PRODUCTION } from './prompt.ts';
import type { LabelEvaluation } from './schema.ts';

const count = z.int().min(0);
const score = z.number().min(0).max(1);

/** Result of a prompt's text on one case with one model, and its score. */
export const promptEvaluationSchema = z.object({
  output: z.string(),
  finishReason: z.string(),
  status: z.enum(['scored', 'partial']).meta({ description: 'partial: a criterion could not be scored.' }),
  score: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  satisfactory: z.boolean(),
  feedback: z.string().meta({ description: 'Part of the feedback that models may read.' }),
  detail: z.string().meta({ description: 'For people only, because it can contain references.' }),
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().nullable(),
  durationMs: count,
  createdAt: z.string(),
});
export type PromptEvaluation = z.infer<typeof promptEvaluationSchema>;

/** Requested evaluation: indices of its text and model in the request, and of the case in the dataset, from 0. */
const cellShape = { text: count, model: count, position: count };
export type EvaluationCell = { text: number; model: number; position: number };

/** Case that is not evaluated because a criterion can never score it, whatever the answer. */
const skippedCaseSchema = z.object({
  position: count,
  criterion: z.string(),
  missing: z.string().meta({
    description: 'What the case lacks: reference, number (its reference contains none), or metadata.<field>.',
  }),
});
export type SkippedCase = z.infer<typeof skippedCaseSchema> & { missing: MissingInput };

/**
 * Event of an evaluation's stream, one JSON object per line. `begin`: of `cells` evaluations, `known` are saved already, and the others
 * need about `calls` calls. `skipped`: cases without evaluations, because they cannot be scored. `text`: a piece of a streaming
 * response. `known`: the result was saved before and cost nothing now. `failed`: the response or the judge failed, with the remedy. `end`:
 * calls made and their cost; `stopped` counts cells skipped because of an abort.
 */
export const evaluationEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begin'),
    cells: count,
    known: count,
    calls: count,
    skipped: z
      .array(skippedCaseSchema)
      .meta({ description: 'Cases that are not evaluated because a criterion can never score them.' }),
  }),
  z.object({ type: z.literal('text'), ...cellShape, piece: z.string() }),
  z.object({ type: z.literal('proof'), ...cellShape, known: z.boolean(), proof: promptEvaluationSchema }),
  z.object({
    type: z.literal('failed'),
    ...cellShape,
    cause: z.enum(MODEL_FAILURE_KINDS).optional(),
    message: z.string(),
    remedy: z.string(),
  }),
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
export type EvaluationEvent = z.infer<typeof evaluationEventSchema>;

/** Returns true if moving the label to a version with lower held-out scores requires a reason. */
export function isGuarded(label: string): boolean {
  return label === PRODUCTION;
}

/** Returns the held-out result for a label move in one or two sentences. */
export function labelEvaluationLabel(evaluation: LabelEvaluation): string {
  const { version, against } = evaluation;
  if (evaluation.verdict === 'unproven')
    return `No held-out scores to compare with version ${against}: ${evaluation.why}`;
  const { n, mean, againstMean, isNoise } = evaluation;
  const cases = n === 1 ? 'the 1 held-out case' : `the ${n} held-out cases`;
  const chance = isNoise && mean !== againstMean ? ' The difference is within noise.' : '';
  const scores = `${mean.toFixed(2)} compared with ${againstMean.toFixed(2)} for version ${against}`;
  if (evaluation.verdict === 'loses') return `Version ${version} loses on ${cases}: ${scores}.${chance}`;
  return `Version ${version} does ${mean === againstMean ? 'as well' : 'better'} on ${cases}: ${scores}.${chance}`;
}
