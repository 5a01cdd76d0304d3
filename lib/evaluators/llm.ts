import type { Spend } from '#lib/reflection/history.ts';
import { evaluatePrompt, evaluateReplySchema } from '#lib/reflection/prompts/evaluate-prompt.ts';
import { sumSpend } from '#lib/reflection/spend.ts';
import { spendOfCall } from '#lib/reflection/spend-of-call.ts';
import type { CriterionResult, EvaluationRequest, Evaluator, EvaluatorOutcome } from './evaluator.ts';
import { type JudgeReading, readPlainReply, readStructuredReply } from './read-judge-reply.ts';

/**
 * Scores by a judging model: all criteria in one call. A reply that leaves a criterion without a readable score from 0 to 1 is
 * asked for once more, with what was wrong; a criterion that is missing then too is unscored.
 */
export const llmEvaluator: Evaluator<'llm'> = {
  kind: 'llm',
  async evaluate(request) {
    const first = await askJudge(request, null);
    if (!first.ok) return first;
    if (first.reading.wrong.length === 0) return finished(request, [first.reading], [first.spend]);
    const second = await askJudge(request, first.reading.wrong);
    if (!second.ok) return { ...second, spend: sumSpend([first.spend, second.spend]) };
    return finished(request, [first.reading, second.reading], [first.spend, second.spend]);
  },
};

type LlmRequest = EvaluationRequest<'llm'>;
type Judged = { ok: true; reading: JudgeReading; spend: Spend } | Extract<EvaluatorOutcome, { ok: false }>;

async function askJudge(request: LlmRequest, wrong: string[] | null): Promise<Judged> {
  const { settings, criteria, ask } = request;
  const structured = settings.structuredReflection;
  const outcome = await ask({
    ...evaluatePrompt({ ...request, wrong }),
    temperature: settings.generator.temperature === null ? null : 0,
    maxOutputTokens: null,
    output: structured ? { name: 'evaluation', schema: evaluateReplySchema } : null,
  });
  const spend = spendOfCall(outcome);
  if (!outcome.ok) return { ok: false, failure: outcome.failure, spend };
  const { text, finishReason } = outcome.reply;
  const names = criteria.map((criterion) => criterion.name);
  const reading = structured ? readStructuredReply(text, names) : readPlainReply(text, names);
  if (reading.wrong.length > 0 && finishReason === 'length') {
    return {
      ok: true,
      spend,
      reading: { ...reading, wrong: [...reading.wrong, 'it was cut off at its length limit: be brief'] },
    };
  }
  return { ok: true, reading, spend };
}

/** The earlier reply counts where it was readable, the later one fills its gaps. */
function finished({ criteria }: LlmRequest, readings: JudgeReading[], spends: Spend[]): EvaluatorOutcome {
  const results = criteria.map(({ name }): CriterionResult => {
    const reading = readings.find((candidate) => candidate.scores.has(name)) ?? readings.at(-1);
    const score = reading?.scores.get(name) ?? null;
    const reason = score?.reason ?? 'Not scored: the judge gave no readable score from 0 to 1, asked twice.';
    return {
      criterion: name,
      score: score?.score ?? null,
      reason,
      issues: (score?.issues ?? []).map((text) => ({ criterion: name, text })),
      suggestions: score?.suggestions ?? [],
      confidence: score === null ? null : (reading?.confidence ?? null),
      feedback: score === null ? '' : `${name}: ${reason}`.trim(),
      detail: reason,
      answer: null,
    };
  });
  const general = readings.findLast((reading) => reading.scores.size > 0);
  const [firstResult] = results;
  if (general !== undefined && firstResult !== undefined) {
    firstResult.issues.push(...general.issues.map((text) => ({ criterion: null, text })));
    firstResult.suggestions.push(...general.suggestions);
  }
  return { ok: true, results, spend: sumSpend(spends) };
}
