import { z } from 'zod';
import type { CriterionOf } from '#lib/core/criterion-schema.ts';
import { getPassThreshold } from '#lib/core/score-evaluation.ts';
import { numberBetween } from '#lib/core/setting-parts.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import {
  type CriterionResult,
  criterionResult,
  type EvaluationRequest,
  type Evaluator,
  shortScore,
  type ValidateOutcome,
} from './evaluator.ts';
import { quotesReference, unscoredQuietly, withheldNote } from './quotes-reference.ts';

const text = z.string({ error: 'must be a text' }).max(10_000, { error: 'must be at most 10,000 characters' });
const list = z
  .array(text.min(1, { error: 'must not be empty' }), { error: 'must be a list of texts' })
  .max(50, { error: 'must contain at most 50 texts' });

/** Response of an external validator. Other fields are ignored. The score is from 0 to 1. */
export const validatorAnswerSchema = z.object(
  {
    score: numberBetween(0, 1).meta({ description: 'How good the output is.' }),
    reason: text.nullish().meta({ description: 'Why, for people.' }),
    feedback: text.nullish().meta({ description: 'What the model sees for its next version. Default: the reason.' }),
    issues: list.nullish().meta({ description: 'What is wrong, one issue each.' }),
    suggestions: list.nullish().meta({ description: 'How to fix it.' }),
  },
  { error: 'must be a JSON object' },
);

type ValidatorAnswer = { [Part in keyof ValidatorResponse]: NonNullable<ValidatorResponse[Part]> };
type ValidatorResponse = Required<z.infer<typeof validatorAnswerSchema>>;

/** Parses a validator's response. `problem` describes the first invalid part: "score must be a number from 0 to 1, got 7". */
export function readValidatorAnswer(
  json: unknown,
): { ok: true; answer: ValidatorAnswer } | { ok: false; problem: string } {
  const parsed = validatorAnswerSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') || 'it';
    return { ok: false, problem: `${field} ${issue?.message ?? 'does not fit'}` };
  }
  const { score, reason, feedback, issues, suggestions } = parsed.data;
  const clean = (texts: string[] | null | undefined) =>
    (texts ?? []).map((one) => one.trim()).filter((one) => one !== '');
  return {
    ok: true,
    answer: {
      score,
      reason: reason?.trim() ?? '',
      feedback: feedback?.trim() ?? '',
      issues: clean(issues),
      suggestions: clean(suggestions),
    },
  };
}

/**
 * Scores with a webhook of the operator, identified by name. It receives all data, including the reference. Its feedback is passed to
 * models, except for text that quotes the reference. Without a usable response, the criterion is unscored.
 */
export const webhookEvaluator: Evaluator<'webhook'> = {
  kind: 'webhook',
  async evaluate(request) {
    const outcomes = await Promise.all(request.criteria.map((criterion) => callWebhook(criterion, request)));
    const spend = { ...NO_SPEND, durationMs: Math.max(...outcomes.map(({ durationMs }) => durationMs)) };
    if (outcomes.some((outcome) => !outcome.ok && outcome.aborted))
      return { ok: false, spend, failure: { ...ABORTED, latencyMs: spend.durationMs } };
    const hidden = request.mayQuoteReference ? null : request.case.reference;
    const results = request.criteria.flatMap((criterion, position) => {
      const outcome = outcomes[position];
      return outcome === undefined ? [] : [judge(criterion, outcome, hidden)];
    });
    return { ok: true, results, spend };
  },
};

type WebhookCriterion = CriterionOf<'webhook'>;

function callWebhook(criterion: WebhookCriterion, request: EvaluationRequest<'webhook'>): Promise<ValidateOutcome> {
  const { name, description } = criterion;
  const { input, messages, reference, metadata, tags } = request.case;
  return request.validate(criterion.config.name, {
    criterion: { name, description, threshold: getPassThreshold(criterion, request.settings) },
    output: request.output,
    input,
    ...(messages && { messages }),
    reference,
    metadata,
    tags,
    version: request.version ?? null,
  });
}

function judge(criterion: WebhookCriterion, outcome: ValidateOutcome, reference: string | null): CriterionResult {
  const unscored = (problem: string) =>
    unscoredQuietly(criterion.name, problem, reference, 'Not scored: the webhook returned no usable response.');
  if (!outcome.ok) return unscored(outcome.problem);
  const read = readValidatorAnswer(outcome.json);
  if (read.ok) return verdict(criterion, read.answer, reference);
  const shown = JSON.stringify(criterion.config.name);
  return unscored(`The webhook ${shown} answered, but not with a score: ${read.problem}.`);
}

function verdict(
  { name, config }: WebhookCriterion,
  answer: ValidatorAnswer,
  reference: string | null,
): CriterionResult {
  const mayReveal = (text: string) => !quotesReference(text, reference);
  const sentence = `The webhook ${JSON.stringify(config.name)} gave ${shortScore(answer.score)}`;
  const reason = mayReveal(answer.reason) ? answer.reason : '';
  const feedback = mayReveal(answer.feedback) ? answer.feedback : '';
  const texts = [answer.reason, answer.feedback, ...answer.issues, ...answer.suggestions];
  return criterionResult({
    criterion: name,
    score: answer.score,
    reason: reason === '' ? `${sentence}.` : `${sentence}: ${reason}`,
    issues: answer.issues.filter(mayReveal).map((text) => ({ criterion: name, text })),
    suggestions: answer.suggestions.filter(mayReveal),
    feedback: `${name}: ${feedback || reason || `${shortScore(answer.score)} of 1`}`,
    detail: [
      answer.reason === '' ? `${sentence}.` : `${sentence}: ${answer.reason}`,
      ...(answer.feedback === '' ? [] : [`Feedback: ${answer.feedback}`]),
      ...answer.issues.map((issue) => `- ${issue}`),
      ...answer.suggestions.map((suggestion) => `→ ${suggestion}`),
      ...withheldNote(texts, mayReveal),
    ].join('\n'),
  });
}

const ABORTED = {
  kind: 'aborted',
  message: 'The run was stopped before the webhook answered.',
  remedy: '',
  status: null,
  attempts: 1,
  tokenUsage: NO_SPEND.tokenUsage,
  costUsd: 0,
} as const;
