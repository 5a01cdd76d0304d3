import type { CriterionOf } from '#lib/core/criterion.ts';
import { NO_SPEND, type Spend } from '#lib/core/history.ts';
import { temperatureFor } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import { type AskedTwice, askTwice } from './ask-twice.ts';
import { comparisonPrompt, comparisonReplySchema } from './comparison-prompt.ts';
import { comparisonVerdict, type Round, tieWith } from './comparison-verdict.ts';
import { unscored } from './criterion-result.ts';
import type { CriterionResult, EvaluationRequest, Evaluator, EvaluatorOutcome } from './evaluator.ts';
import { mayTellOf, withoutLacking } from './judged-criteria.ts';
import { type ComparisonReading, readPlainComparison, readStructuredComparison } from './read-comparison-reply.ts';

/**
 * Scores by a judge that sees the output beside another text, in both orders: better both times is 1, worse both times 0, all
 * else a tie, 0.5. The first version has nothing earlier beside it and counts as a tie with itself, so that a threshold above
 * 0.5 asks for at least one better version, and one of up to 0.5 for no worse one. Equal texts are a tie without a call.
 */
export const comparisonEvaluator: Evaluator<'comparison'> = {
  kind: 'comparison',
  async evaluate(request) {
    const results: CriterionResult[] = [];
    const spends: Spend[] = [];
    const { criteria, inOrder } = withoutLacking(request);
    for (const criterion of criteria) {
      const judged = await judge(request, criterion);
      spends.push(judged.spend);
      if (!judged.ok) return { ...judged, spend: sumSpend(spends) };
      results.push(judged.result);
    }
    return { ok: true, results: inOrder(results), spend: sumSpend(spends) };
  },
};

type ComparisonCriterion = CriterionOf<'comparison'>;
type Judged = { ok: true; result: CriterionResult; spend: Spend } | Extract<EvaluatorOutcome, { ok: false }>;

async function judge(request: EvaluationRequest<'comparison'>, criterion: ComparisonCriterion): Promise<Judged> {
  const { output } = request;
  const other = otherText(request, criterion);
  if (other === null) return { ok: true, result: withoutOther(criterion), spend: NO_SPEND };
  if (other.trim() === output.trim())
    return { ok: true, result: tieWith(criterion, 'The same text.'), spend: NO_SPEND };
  const shownFirst = await askJudge(request, criterion, { first: output, second: other });
  if (!shownFirst.ok) return shownFirst;
  const shownSecond = await askJudge(request, criterion, { first: other, second: output });
  const spend = sumSpend([shownFirst.spend, shownSecond.spend]);
  if (!shownSecond.ok) return { ...shownSecond, spend };
  const rounds = [roundOf(shownFirst.readings, 'first'), roundOf(shownSecond.readings, 'second')];
  const read = rounds.flatMap((round) => round ?? []);
  const result =
    read.length === rounds.length
      ? comparisonVerdict(criterion, read, mayTellOf([criterion], request), request.mayQuoteReference)
      : unscored(criterion.name, 'Not scored: the judge named no readable winner, asked twice.');
  return { ok: true, result, spend };
}

function otherText({ earlier, case: task }: EvaluationRequest<'comparison'>, { config }: ComparisonCriterion) {
  switch (config.against) {
    case 'previous':
      return earlier.previous;
    case 'best':
      return earlier.best;
    case 'reference':
      return task.reference === null || task.reference.trim() === '' ? null : task.reference;
  }
}

function withoutOther(criterion: ComparisonCriterion): CriterionResult {
  switch (criterion.config.against) {
    case 'previous':
    case 'best':
      return tieWith(criterion, 'Nothing to compare with yet.');
    case 'reference':
      return unscored(criterion.name, 'Not scored: the case has no reference.');
  }
}

function askJudge(
  request: EvaluationRequest<'comparison'>,
  criterion: ComparisonCriterion,
  texts: { first: string; second: string },
): Promise<AskedTwice<ComparisonReading>> {
  const { settings, ask } = request;
  const structured = settings.structuredReflection;
  return askTwice(
    (wrong) =>
      ask({
        ...comparisonPrompt(request, criterion, texts, wrong),
        temperature: temperatureFor(settings, 'evaluate'),
        maxOutputTokens: null,
        output: structured ? { name: 'comparison', schema: comparisonReplySchema } : null,
      }),
    (text) => (structured ? readStructuredComparison(text) : readPlainComparison(text)),
  );
}

/** How one order went for the output that stood at `place`; null where no winner could be read. */
function roundOf(readings: ComparisonReading[], place: 'first' | 'second'): Round | null {
  const reading = readings.find(({ winner }) => winner !== null);
  if (reading === undefined || reading.winner === null) return null;
  const { winner, reason, issues, confidence } = reading;
  const outcome = winner === 'neither' ? 'tie' : winner === place ? 'won' : 'lost';
  return { outcome, place, reason, issues: issues[place], confidence };
}
