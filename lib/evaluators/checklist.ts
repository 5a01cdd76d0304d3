import type { CriterionOf } from '#lib/core/criterion.ts';
import type { Spend } from '#lib/core/history.ts';
import { fillForModels, fillForPeople, judgeValues } from '#lib/core/prompts/judge-texts.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { temperatureFor } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import { type AskedTwice, askTwice } from './ask-twice.ts';
import { checklistPrompt, checklistReplySchema } from './checklist-prompt.ts';
import { criterionResult, unscored } from './criterion-result.ts';
import type { CriterionResult, EvaluationRequest, Evaluator } from './evaluator.ts';
import { type MayTell, mayTellOf, withoutLacking } from './judged-criteria.ts';
import { type ChecklistReading, readPlainChecklist, readStructuredChecklist } from './read-checklist-reply.ts';

/**
 * Scores by a judging model that answers each item of a list with yes or no; the score is the share of yes. Each list is one
 * call. An item without a readable answer is asked for once more; one that is missing then too leaves the criterion unscored,
 * and so does something that its text asks for and the case lacks. Where the judge saw the reference, only people are told what quotes it.
 */
export const checklistEvaluator: Evaluator<'checklist'> = {
  kind: 'checklist',
  async evaluate(request) {
    const results: CriterionResult[] = [];
    const spends: Spend[] = [];
    const { criteria, inOrder } = withoutLacking(request);
    for (const criterion of criteria) {
      const asked = await askJudge(request, criterion);
      spends.push(asked.spend);
      if (!asked.ok) return { ok: false, failure: asked.failure, spend: sumSpend(spends) };
      results.push(judge(criterion, asked.readings, request));
    }
    return { ok: true, results: inOrder(results), spend: sumSpend(spends) };
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
        temperature: temperatureFor(settings, 'evaluate'),
        maxOutputTokens: null,
        output: structured ? { name: 'checklist', schema: checklistReplySchema } : null,
      }),
    (text) => (structured ? readStructuredChecklist(text, count) : readPlainChecklist(text, count)),
  );
}

function judge(
  criterion: CriterionOf<'checklist'>,
  readings: ChecklistReading[],
  request: EvaluationRequest<'checklist'>,
): CriterionResult {
  const { name, config } = criterion;
  const values = judgeValues(criterion, request.case, request.output);
  const mayTell = mayTellOf([criterion], request);
  const items = config.items.map((text, at): JudgedItem => {
    const answer = readings.map(({ answers }) => answers.get(at + 1)).find((found) => found !== undefined);
    const filled = fillForModels(text, values);
    return { item: mayTell(filled) ? filled : text, shown: fillForPeople(text, values), answer };
  });
  const unread = items.flatMap(({ item, answer }) => (answer === undefined ? [`"${item}"`] : []));
  if (unread.length > 0) {
    return unscored(name, `Not scored: the judge gave no readable yes or no, asked twice, for ${unread.join(', ')}.`);
  }
  const failed = items.filter(({ answer }) => answer?.yes === false);
  const met = items.length - failed.length;
  const counted = `${met} of ${items.length} met`;
  const confidences = readings.flatMap(({ confidence }) => confidence ?? []);
  const withheld = items.filter(({ answer }) => !mayTell(answer?.reason ?? '')).length;
  return criterionResult({
    criterion: name,
    score: roundTo6(met / items.length),
    reason: [`${counted}.`, ...failed.map(({ item }) => `Not met: ${item}`)].join('\n'),
    issues: failed.map(({ item }) => ({ criterion: name, text: `Not met: ${item}` })),
    confidence: confidences.length === 0 ? null : Math.min(...confidences),
    feedback: [`${name}: ${counted}`, ...failed.map((one) => `- not met: ${toldItem(one, mayTell)}`)].join('\n'),
    detail: [
      `${counted}.`,
      ...items.map((one) => `${one.answer?.yes ? '✓' : '✕'} ${withReason(one.shown, one.answer?.reason ?? '')}`),
      ...(withheld === 0 ? [] : [`${withheld} of these reasons quote the reference: models are not told them.`]),
    ].join('\n'),
  });
}

/** An item as models are told of it and as people are shown it, with the judge's answer. */
type JudgedItem = { item: string; shown: string; answer: { yes: boolean; reason: string } | undefined };

function toldItem({ item, answer }: JudgedItem, mayTell: MayTell): string {
  const reason = answer?.reason ?? '';
  return withReason(item, mayTell(reason) ? reason : '');
}

function withReason(item: string, reason: string): string {
  return reason === '' ? item : `${item} (${reason})`;
}
