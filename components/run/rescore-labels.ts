import type { EvaluationRecord } from '#lib/core/run-record.ts';
import { formatCost, formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import { type RescoreReport, SAME_WITHIN, type ScoreSpread } from '#lib/statistics/rescore-report.ts';

/**
 * What re-scoring so often will take, before it is asked for: `about 5 calls, 4,300 tokens, $0.0041`. Calls only for a score that was
 * kept from an equal text: nothing was paid for it, which says nothing of what judging takes.
 */
export function rescorePrice(times: number, calls: number, evaluation: EvaluationRecord | undefined): string {
  if (calls === 0) return 'no model call: the criteria are checked by Hone itself';
  const parts = [`about ${formatNumberOf(times * calls, 'call')}`];
  if (evaluation !== undefined && evaluation.copiedFrom === null) {
    const { tokenUsage, costUsd } = evaluation;
    parts.push(`${formatCount(tokenUsage.total * times)} tokens`);
    parts.push(costUsd === null ? 'no known price' : formatCost(costUsd * times, false));
  }
  return parts.join(', ');
}

/** What the overall scores say of the judge, in a sentence. */
export function spreadSentence({ n, lowest, highest, within, first }: ScoreSpread): string {
  if (n === 0 || lowest === null || highest === null || first === null)
    return 'None of them could be scored, so nothing can be said of the judge.';
  const near = formatScore(SAME_WITHIN);
  const share =
    within === n
      ? `all ${n === 1 ? '' : `${n} `}within ${near} of the first`
      : `${within} of ${n} within ${near} of the first`;
  if (lowest === highest)
    return `The judge said ${formatScore(lowest)} ${n === 1 ? 'once' : `all ${n} times`}, ${share}, ${formatScore(first)}.`;
  const verdict = within === n ? 'The judge holds to its score' : 'The judge wavers';
  return `${verdict}: from ${formatScore(lowest)} to ${formatScore(highest)}, ${share}, ${formatScore(first)}.`;
}

/** How the re-scores stand where not all simply came out: what waits, was unscored, failed or was not asked. */
export function rescoreState(report: RescoreReport): string | null {
  const done = report.asked - report.waiting;
  const parts = [
    report.waiting > 0 ? `${done} of ${report.asked} made, ${report.waiting} to come` : null,
    report.unscored > 0 ? `${report.unscored} unscored` : null,
    report.failed > 0 ? `${report.failed} failed` : null,
    report.skipped > 0 ? `${report.skipped} not asked after that` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
