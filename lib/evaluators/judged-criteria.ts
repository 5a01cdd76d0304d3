import type { Criterion } from '#lib/core/criterion.ts';
import { asksForReference } from '#lib/core/prompts/judge-texts.ts';
import { lackOf, lackReason } from '#lib/core/unscorable-cases.ts';
import { unscored } from './criterion-result.ts';
import type { CriterionResult, EvaluationRequest } from './evaluator.ts';
import { quotesReference } from './quotes-reference.ts';

type JudgedKind = 'llm' | 'checklist' | 'comparison';

/** Whether models that work on the task may be told what a judge wrote. */
export type MayTell = (text: string) => boolean;

/** Tells apart what quotes the reference where the judge of these criteria was shown it; all else may be told, and all where quoting is allowed. */
export function mayTellOf(
  criteria: readonly Criterion[],
  {
    settings,
    case: task,
    mayQuoteReference,
  }: Pick<EvaluationRequest<JudgedKind>, 'settings' | 'case' | 'mayQuoteReference'>,
): MayTell {
  if (mayQuoteReference) return () => true;
  const saw = criteria.some((criterion) => asksForReference(criterion, settings.prompts.evaluate));
  return saw ? (text) => !quotesReference(text, task.reference) : () => true;
}

/**
 * The criteria of a request whose judge can be asked: all but those whose text asks for something that the case lacks. `inOrder` adds
 * these, unscored, to the results of the others, in the order of the request.
 */
export function withoutLacking<Judged extends Criterion>(
  request: Pick<EvaluationRequest<JudgedKind>, 'settings' | 'case'> & { criteria: Judged[] },
): { criteria: Judged[]; inOrder: (results: CriterionResult[]) => CriterionResult[] } {
  const lacking = request.criteria.flatMap((criterion) => {
    const lacks = lackOf(criterion, request.case, request.settings.prompts.evaluate);
    return lacks === null ? [] : [unscored(criterion.name, lackReason(lacks))];
  });
  if (lacking.length === 0) return { criteria: request.criteria, inOrder: (results) => results };
  return {
    criteria: request.criteria.filter(({ name }) => !lacking.some((one) => one.criterion === name)),
    inOrder: (results) => {
      const all = new Map([...results, ...lacking].map((result) => [result.criterion, result]));
      return request.criteria.flatMap(({ name }) => all.get(name) ?? []);
    },
  };
}
