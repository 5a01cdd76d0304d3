import type { CriterionOf } from '#lib/core/criterion.ts';
import { type CriterionResult, criterionResult } from './evaluator.ts';
import type { MayTell } from './judge-instructions.ts';

type ComparisonCriterion = CriterionOf<'comparison'>;

/** How the output fared in one order, in the judge's words; `issues` are those it named with the output. */
export type Round = {
  outcome: 'won' | 'lost' | 'tie';
  place: 'first' | 'second';
  reason: string;
  issues: string[];
  confidence: number | null;
};

const TIE = 0.5;

/** What the output is compared with, in words that do not give a reference away. */
const OTHERS: Record<ComparisonCriterion['config']['against'], string> = {
  previous: 'the version before it',
  best: 'the best version so far',
  reference: 'another answer to the task',
};

/**
 * The verdict of both orders. A judge that saw the reference may quote it, so what it says then stands in `detail` only; of
 * comparisons with earlier versions the issues are passed on that `mayTell` lets through. `mayQuoteReference`: of those with the
 * reference too.
 */
export function comparisonVerdict(
  criterion: ComparisonCriterion,
  rounds: Round[],
  mayTell: MayTell,
  mayQuoteReference = false,
): CriterionResult {
  const { name, config } = criterion;
  const other = OTHERS[config.against];
  const won = rounds.every(({ outcome }) => outcome === 'won');
  const lost = rounds.every(({ outcome }) => outcome === 'lost');
  const even = rounds.every(({ outcome }) => outcome === 'tie');
  const reason = won
    ? `Better than ${other}, in both orders.`
    : lost
      ? `Worse than ${other}, in both orders.`
      : even
        ? `As good as ${other}, in both orders.`
        : `A tie with ${other}: the two orders disagree.`;
  const isHidden = config.against === 'reference' && !mayQuoteReference;
  const told = isHidden || won ? [] : (rounds.find(isTelling) ?? rounds[0])?.issues.filter(mayTell);
  const named = told !== undefined && told.length > 0 ? told : lost ? [`Worse than ${other}.`] : [];
  const confidences = rounds.flatMap(({ confidence }) => confidence ?? []);
  return criterionResult({
    criterion: name,
    score: won ? 1 : lost ? 0 : TIE,
    reason,
    issues: named.map((text) => ({ criterion: name, text })),
    confidence: confidences.length === 0 ? null : Math.min(...confidences),
    feedback: `${name}: ${reason}`,
    detail: [reason, ...rounds.map((round) => `Shown ${round.place}: ${round.outcome}. ${round.reason}`.trim())].join(
      '\n',
    ),
  });
}

/** A tie that needed no judge. */
export function tieWith({ name, config }: ComparisonCriterion, why: string): CriterionResult {
  const reason = `A tie with ${OTHERS[config.against]}. ${why}`;
  return criterionResult({ criterion: name, score: TIE, reason, feedback: `${name}: ${reason}` });
}

/** Where the output lost, the judge has named why. */
function isTelling({ outcome, issues }: Round): boolean {
  return outcome === 'lost' && issues.length > 0;
}
