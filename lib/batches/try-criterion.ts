import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import type { EarlierOutputs } from '#lib/core/earlier-outputs.ts';
import { evaluatorCalls, type MadeEvaluation } from '#lib/core/evaluate-request.ts';
import { failureText } from '#lib/core/model-request.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { evaluateOutput } from '#lib/evaluators/evaluate-output.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { withModels } from '#lib/model-calls/stored-models.ts';
import { pythonRunner } from '#lib/settings/python.ts';
import { webhookValidator } from '#lib/webhooks/send-webhook.ts';

/**
 * Result of testing a criterion on an output. `score` is from 0 to 1, or null if it could not be scored. `reason` then contains the cause.
 * `feedback` is the text for models, `detail` is for people only. `costUsd` is null if no price is known.
 */
export const triedCriterionSchema = z.object({
  score: z.number().nullable(),
  passed: z.boolean(),
  reason: z.string(),
  issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  confidence: z.number().nullable(),
  feedback: z.string(),
  detail: z.string(),
  tokenUsage: z.object({ input: z.number(), output: z.number(), total: z.number() }),
  costUsd: z.number().nullable(),
  durationMs: z.number(),
});
export type TriedCriterion = z.infer<typeof triedCriterionSchema>;

const MAX_TEXT_LENGTH = 200_000;
const textSchema = z
  .string()
  .max(MAX_TEXT_LENGTH, { error: `must be at most ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters` });

/** One criterion, an output with its case, and the settings used for judging. */
export const tryCriterionInputSchema = z
  .strictObject(settingsSchema.shape)
  .pick({
    taskType: true,
    generator: true,
    temperatures: true,
    modelSettings: true,
    evaluatorModel: true,
    embeddingModel: true,
    prompts: true,
    structuredReflection: true,
    qualityThreshold: true,
  })
  .extend({
    criterion: criterionSchema,
    output: textSchema,
    /** Used as the previous and the best version if outputs are compared. */
    earlier: textSchema.nullable().default(null),
    case: z.strictObject({
      input: textSchema,
      reference: textSchema.nullable().default(null),
      metadata: z.record(z.string(), z.unknown()).default({}),
    }),
  });

/**
 * Scores an output by one criterion like a run, and stores nothing. Makes real model calls within the limits of their providers. Errors
 * name the field as in the request: `criterion.config.pattern`.
 */
export async function tryCriterion(
  context: AppContext,
  _actor: Actor,
  input: unknown,
  signal: AbortSignal,
): Promise<Result<TriedCriterion>> {
  const parsed = parseInput(tryCriterionInputSchema, input);
  if (!parsed.ok) return parsed;
  const { criterion, output, earlier, case: tried, ...judging } = parsed.value;
  // The weight of a single criterion has no effect and may be 0. The criterion uses its own threshold, otherwise the overall one.
  const alone = {
    ...judging,
    name: 'try',
    mode: 'revise',
    criteria: [{ ...criterion, weight: 1 }],
    qualityThreshold: criterion.threshold ?? judging.qualityThreshold,
  };
  const read = await readSettings(context, alone);
  if (!read.ok) return { ok: false, problem: renameProblemField(read.problem) };
  const { settings } = read.value;
  const outcome = await evaluate(
    context,
    { settings, case: { ...tried, tags: [] }, output, earlier: { previous: earlier, best: earlier } },
    signal,
  );
  if (!outcome.ok) return fail('unavailable', failureText(outcome.failure));
  return succeed(resultOf(outcome.evaluation, criterion.name));
}

async function evaluate(
  context: AppContext,
  request: { settings: ExperimentSettings; case: Case; output: string; earlier: EarlierOutputs },
  signal: AbortSignal,
) {
  return withModels(context, { experimentId: null, purpose: 'criterion_try' }, (call) =>
    evaluateOutput({
      ...request,
      python: pythonRunner(context),
      validate: (webhook, options) => webhookValidator(context)(webhook, { ...options, run: null }, signal),
      ...evaluatorCalls(request.settings, (modelRequest) => call(modelRequest, { signal, onText: null })),
    }),
  );
}

function resultOf(evaluation: MadeEvaluation, name: string): TriedCriterion {
  const { issues, suggestions, confidence, feedback, detail, tokenUsage, costUsd, durationMs } = evaluation;
  const score = evaluation.criteriaScores[name] ?? null;
  return {
    score,
    passed: evaluation.satisfactory,
    reason: evaluation.reasons[name] ?? '',
    issues: issues.map(({ text }) => text),
    suggestions,
    confidence,
    feedback,
    detail,
    tokenUsage,
    costUsd,
    durationMs,
  };
}

/** Renames the field, because validation saw the criterion as the first of a list. */
function renameProblemField(problem: Problem): Problem {
  const asSent = (text: string) => text.replaceAll('criteria.0', 'criterion');
  return { ...problem, message: asSent(problem.message), field: problem.field === null ? null : asSent(problem.field) };
}
