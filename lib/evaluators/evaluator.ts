import { z } from 'zod';
import { chatMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import type { CriterionOf, EvaluatorKind } from '#lib/core/criterion-schema.ts';
import type { EvaluateRequest } from '#lib/core/evaluate-request.ts';
import type { EvaluationIssue } from '#lib/core/history.ts';
import type { ModelFailure } from '#lib/core/model-request.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { PythonRunner } from '#lib/evaluators/python/python-report.ts';

/**
 * Request to an external validator. The caller adds the ID of the run as `run`. Includes the reference, because the operator owns the
 * service. `threshold` is that of the criterion, otherwise the overall one.
 */
export const validatorRequestSchema = z.object({
  criterion: z
    .object({ name: z.string(), description: z.string(), threshold: z.number() })
    .meta({ description: 'What to score. `threshold` is the lowest score that passes.' }),
  output: z.string().meta({ description: 'The text to score.' }),
  input: z.string().meta({ description: 'The input of the case.' }),
  messages: chatMessagesSchema.optional().meta({ description: 'The input as messages, if it is a conversation.' }),
  reference: z.string().nullable().meta({ description: 'The expected answer.' }),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'The metadata of the case.' }),
  tags: z.array(z.string()).meta({ description: 'The tags of the case.' }),
  version: z.int().nullable().meta({ description: 'The version of the run. `null` for a test of a criterion.' }),
});
export type ValidatorRequest = z.infer<typeof validatorRequestSchema>;

/** Result of calling a validator: its response as JSON, or the problem as a sentence for display. */
export type ValidateOutcome =
  | { ok: true; json: unknown; durationMs: number }
  | { ok: false; problem: string; aborted: boolean; durationMs: number };

/** Calls the webhook with a name. Never throws because of the service's response. */
export type Validate = (webhook: string, request: ValidatorRequest) => Promise<ValidateOutcome>;

/** Services that evaluators use in addition to models. */
export type EvaluatorServices = { validate: Validate; python: PythonRunner };

/** Services for loops without access to the installation's webhooks. */
export const NO_SERVICES: EvaluatorServices = {
  validate: async () => ({ ok: false, problem: 'Webhooks are not available here.', aborted: false, durationMs: 0 }),
  python: async () => ({ type: 'off' }),
};

/** Input of an evaluator. `criteria` contains all criteria of its kind, at least one. */
export type EvaluationRequest<Kind extends EvaluatorKind> = EvaluateRequest &
  EvaluatorServices & { criteria: CriterionOf<Kind>[] };

/** Result for one criterion. `score` is from 0 to 1, or null if none could be read. `reason` then contains the cause. */
export type CriterionResult = {
  criterion: string;
  score: number | null;
  /** The judge's score, if the final score is left to a person. */
  proposed?: number;
  reason: string;
  issues: EvaluationIssue[];
  suggestions: string[];
  confidence: number | null;
  /** Feedback for models. Must not reveal the reference. */
  feedback: string;
  /** Details for people only. */
  detail: string;
  /** The normalized answer that was compared. Null if the evaluator compares none. */
  answer: string | null;
};

/** `failure`: the evaluator's own model gave no response, after its retries. */
export type EvaluatorOutcome =
  | { ok: true; results: CriterionResult[]; spend: Spend }
  | { ok: false; failure: ModelFailure; spend: Spend };

/** A way of scoring outputs. Free of side effects except for its requests. Returns one result per criterion, in order. */
export type Evaluator<Kind extends EvaluatorKind> = {
  kind: Kind;
  evaluate(request: EvaluationRequest<Kind>): Promise<EvaluatorOutcome>;
  /** Returns the config value that has the right type but cannot be used. */
  problem?(config: CriterionOf<Kind>['config']): Promise<ConfigProblem | null>;
};

/** A config key whose value cannot be used, and the reason as the end of a sentence. */
export type ConfigProblem = { key: string; problem: string };

/** Formats a score for use in a sentence, rounded to three decimals. */
export function shortScore(score: number): string {
  return String(Math.round(score * 1_000) / 1_000);
}

/** Creates a result for a criterion. Omitted fields are empty. */
export function criterionResult(
  result: Pick<CriterionResult, 'criterion' | 'score' | 'reason'> & Partial<CriterionResult>,
): CriterionResult {
  return {
    issues: [],
    suggestions: [],
    confidence: null,
    feedback: '',
    detail: result.reason,
    answer: null,
    ...result,
  };
}

/** Returns the problem of a config key, or null if there is none. */
export function problemAt(key: string, problem: string | null): ConfigProblem | null {
  return problem === null ? null : { key, problem };
}

/** Creates a result for a criterion that could not be scored. `reason` is displayed to people. */
export function unscored(criterion: string, reason: string): CriterionResult {
  return criterionResult({ criterion, score: null, reason });
}
