import { evaluatePrompt, evaluateReplySchema } from '#lib/reflection/prompts/evaluate-prompt.ts';
import { askTwice } from './ask-twice.ts';
import type { CriterionResult, Evaluator } from './evaluator.ts';
import { type JudgeReading, readPlainReply, readStructuredReply } from './read-judge-reply.ts';

/**
 * Scores by a judging model: all criteria in one call. A reply that leaves a criterion without a readable score from 0 to 1 is
 * asked for once more, with what was wrong; a criterion that is missing then too is unscored.
 */
export const llmEvaluator: Evaluator<'llm'> = {
  kind: 'llm',
  async evaluate(request) {
    const { settings, criteria, ask } = request;
    const structured = settings.structuredReflection;
    const names = criteria.map((criterion) => criterion.name);
    const asked = await askTwice(
      (wrong) =>
        ask({
          ...evaluatePrompt({ ...request, wrong }),
          temperature: settings.generator.temperature === null ? null : 0,
          maxOutputTokens: null,
          output: structured ? { name: 'evaluation', schema: evaluateReplySchema } : null,
        }),
      (text) => (structured ? readStructuredReply(text, names) : readPlainReply(text, names)),
    );
    return asked.ok ? { ok: true, results: resultsOf(names, asked.readings), spend: asked.spend } : asked;
  },
};

/** The earlier reply counts where it was readable, the later one fills its gaps. */
function resultsOf(names: string[], readings: JudgeReading[]): CriterionResult[] {
  const results = names.map((name): CriterionResult => {
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
  return results;
}
