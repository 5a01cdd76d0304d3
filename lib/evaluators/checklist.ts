import type { CriterionOf } from '#lib/reflection/criterion.ts';
import type { Spend } from '#lib/reflection/history.ts';
import { checklistPrompt, checklistReplySchema } from '#lib/reflection/prompts/checklist-prompt.ts';
import { roundTo6 } from '#lib/reflection/round.ts';
import { sumSpend } from '#lib/reflection/spend.ts';
import { type AskedTwice, askTwice } from './ask-twice.ts';
import { criterionResult, unscored } from './criterion-result.ts';
import type { CriterionResult, EvaluationRequest, Evaluator } from './evaluator.ts';
import { type ChecklistReading, readPlainChecklist, readStructuredChecklist } from './read-checklist-reply.ts';

/**
 * Scores by a judging model that answers each item of a list with yes or no; the score is the share of yes. Each list is one
 * call. An item without a readable answer is asked for once more; one that is missing then too leaves the criterion unscored.
 */
export const checklistEvaluator: Evaluator<'checklist'> = {
  kind: 'checklist',
  async evaluate(request) {
    const results: CriterionResult[] = [];
    const spends: Spend[] = [];
    for (const criterion of request.criteria) {
      const asked = await askJudge(request, criterion);
      spends.push(asked.spend);
      if (!asked.ok) return { ok: false, failure: asked.failure, spend: sumSpend(spends) };
      results.push(judge(criterion, asked.readings));
    }
    return { ok: true, results, spend: sumSpend(spends) };
  },
};

function askJudge(
  request: EvaluationRequest<'checklist'>,
  criterion: CriterionOf<'checklist'>,
): Promise<AskedTwice<ChecklistReading>> {
  const { settings, ask } = request;
  const structured = settings.structuredReflection;
  const count = criterion.config.items.length;
  return askTwice(
    (wrong) =>
      ask({
        ...checklistPrompt(request, criterion, wrong),
        temperature: settings.generator.temperature === null ? null : 0,
        maxOutputTokens: null,
        output: structured ? { name: 'checklist', schema: checklistReplySchema } : null,
      }),
    (text) => (structured ? readStructuredChecklist(text, count) : readPlainChecklist(text, count)),
  );
}

function judge({ name, config }: CriterionOf<'checklist'>, readings: ChecklistReading[]): CriterionResult {
  const items = config.items.map((item, at) => {
    const answer = readings.map(({ answers }) => answers.get(at + 1)).find((found) => found !== undefined);
    return { item, answer };
  });
  const unread = items.flatMap(({ item, answer }) => (answer === undefined ? [`"${item}"`] : []));
  if (unread.length > 0) {
    return unscored(name, `Not scored: the judge gave no readable yes or no, asked twice, for ${unread.join(', ')}.`);
  }
  const failed = items.filter(({ answer }) => answer?.yes === false);
  const met = items.length - failed.length;
  const counted = `${met} of ${items.length} met`;
  const confidences = readings.flatMap(({ confidence }) => confidence ?? []);
  return criterionResult({
    criterion: name,
    score: roundTo6(met / items.length),
    reason: [`${counted}.`, ...failed.map(({ item }) => `Not met: ${item}`)].join('\n'),
    issues: failed.map(({ item }) => ({ criterion: name, text: `Not met: ${item}` })),
    confidence: confidences.length === 0 ? null : Math.min(...confidences),
    feedback: [`${name}: ${counted}`, ...failed.map((one) => `- not met: ${withReason(one)}`)].join('\n'),
    detail: [`${counted}.`, ...items.map((one) => `${one.answer?.yes ? '✓' : '✕'} ${withReason(one)}`)].join('\n'),
  });
}

function withReason({ item, answer }: { item: string; answer: { reason: string } | undefined }): string {
  return answer === undefined || answer.reason === '' ? item : `${item} (${answer.reason})`;
}
