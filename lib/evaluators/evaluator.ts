import type { CriterionOf, EvaluatorKind } from '#lib/core/criterion.ts';
import type { EvaluateRequest } from '#lib/core/evaluate-request.ts';
import type { EvaluationIssue, Spend } from '#lib/core/history.ts';
import type { ModelFailure } from '#lib/core/model-request.ts';
import type { EvaluatorServices } from './validate.ts';

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
};
