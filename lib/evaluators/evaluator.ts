import { z } from 'zod';
import { chatMessagesSchema } from '#lib/core/chat/chat-message.ts';
import type { CriterionOf, EvaluatorKind } from '#lib/core/criterion-schema.ts';
import type { EvaluateRequest } from '#lib/core/evaluate-request.ts';
import type { EvaluationIssue } from '#lib/core/history.ts';
import type { ModelFailure } from '#lib/core/model-request.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { PythonRunner } from '#lib/evaluators/python/python-report.ts';

/**
 * What an external validator is sent; the caller adds the ID of the run as `run`. `reference` goes along: the service is the operator's own.
 * `threshold` is the criterion's own, else the overall one.
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

/** What asking a validator came to: its answer as JSON, or why there is none, as a sentence for people. */
export type ValidateOutcome =
  | { ok: true; json: unknown; durationMs: number }
  | { ok: false; problem: string; aborted: boolean; durationMs: number };

/** Asks the webhook of a name. Never throws for what the service does. */
export type Validate = (webhook: string, request: ValidatorRequest) => Promise<ValidateOutcome>;

/** What evaluators ask outside of the models. */
export type EvaluatorServices = { validate: Validate; python: PythonRunner };

/** For loops that score without the installation's webhooks. */
export const NO_SERVICES: EvaluatorServices = {
  validate: async () => ({ ok: false, problem: 'Webhooks are not available here.', aborted: false, durationMs: 0 }),
  python: async () => ({ type: 'off' }),
};

/** What an evaluator looks at. `criteria` are all criteria of its kind, at least one. */
export type EvaluationRequest<Kind extends EvaluatorKind> = EvaluateRequest &
  EvaluatorServices & { criteria: CriterionOf<Kind>[] };

/** The verdict on one criterion: `score` from 0 to 1, or null when it could not be read (then `reason` says why). */
export type CriterionResult = {
  criterion: string;
  score: number | null;
  /** What the judge gave where its score waits for a person. */
  proposed?: number;
  reason: string;
  issues: EvaluationIssue[];
  suggestions: string[];
  confidence: number | null;
  /** For models: must not give the reference away. */
  feedback: string;
  /** For people only. */
  detail: string;
  /** The answer that was compared, normalised; null where the evaluator compares none. */
  answer: string | null;
};

/** `failed` = the evaluator's own model gave no answer at all, after its retries. */
export type EvaluatorOutcome =
  | { ok: true; results: CriterionResult[]; spend: Spend }
  | { ok: false; failure: ModelFailure; spend: Spend };

/** One way of scoring an output. Pure but for what it asks; results come in the order of the criteria, one each. */
export type Evaluator<Kind extends EvaluatorKind> = {
  kind: Kind;
  evaluate(request: EvaluationRequest<Kind>): Promise<EvaluatorOutcome>;
  /** What of a config cannot be used though it has the right shape. */
  problem?(config: CriterionOf<Kind>['config']): Promise<ConfigProblem | null>;
};

/** A key of a config whose value cannot be used, and why as the end of a sentence. */
export type ConfigProblem = { key: string; problem: string };

/** A score in a sentence: to three decimals. */
export function shortScore(score: number): string {
  return String(Math.round(score * 1_000) / 1_000);
}

/** The verdict on a criterion with everything that is not said left empty. */
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

/** The problem of a config's key; null where there is none. */
export function problemAt(key: string, problem: string | null): ConfigProblem | null {
  return problem === null ? null : { key, problem };
}

/** A criterion that could not be scored; `reason` says why, to people. */
export function unscored(criterion: string, reason: string): CriterionResult {
  return criterionResult({ criterion, score: null, reason });
}
