import { waitsForPerson } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import type { EvaluationRecord, RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { meetsThreshold } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { unscoredReasons } from '#lib/core/unscored-failure.ts';
import { formatCost, formatCount, formatList, formatNumberOf, formatScore, formatScoreAgainst } from '#lib/format.ts';
import { isScoredElsewhere } from '#lib/runs/run-facts.ts';
import type { RescoreReport, ScoreSpread } from '#lib/statistics/rescore-report.ts';
import { SAME_SCORE_TOLERANCE } from '#lib/statistics/same-score.ts';
import { isEnded } from './run-versions.ts';

type Scores = Pick<EvaluationRecord, 'overallScore' | 'criteriaScores'>;

/**
 * Returns how the scores compare with the thresholds, as the end of a sentence: `overall 0.74 is under 0.80, and form is under its own
 * 0.70`.
 */
export function ruleLabel(
  { overallScore, criteriaScores }: Scores,
  { qualityThreshold, criteria }: Pick<ExperimentSettings, 'qualityThreshold' | 'criteria'>,
): string {
  const overall = overallScore ?? 0;
  const shown = formatScoreAgainst(overall, qualityThreshold);
  const isUnder = !meetsThreshold(overall, qualityThreshold);
  const failing = criteria.flatMap(({ name, threshold }) => {
    const score = criteriaScores[name] ?? 0;
    if (threshold === null || meetsThreshold(score, threshold)) return [];
    return [`${name} is below its threshold ${formatScoreAgainst(score, threshold).threshold}`];
  });
  const hasOwn = criteria.some(({ threshold }) => threshold !== null);
  return [
    `overall ${shown.score} ${isUnder ? 'is below' : 'reaches'} ${shown.threshold}`,
    ...(failing.length > 0 ? [failing.join(', ')] : hasOwn ? ['no criterion is below its own threshold'] : []),
  ].join(', and ');
}

/** Returns why an evaluation is incomplete, one sentence for each criterion without a score. */
export function unscoredLabel(evaluation: Pick<EvaluationRecord, 'criteriaScores' | 'reasons'>): string {
  const reasons = unscoredReasons(evaluation);
  if (reasons.length === 0) return 'Some criteria have no score.';
  const byReason = [...Map.groupBy(reasons, ({ why }) => why)];
  return byReason
    .map(([why, named]) => {
      const names = formatList(named.map(({ criterion }) => `“${criterion}”`));
      return `${names} ${named.length === 1 ? 'has' : 'have'} no score: ${why}.`;
    })
    .join(' ');
}

/**
 * Returns the estimated price of re-scoring: `about 5 calls, 4,300 tokens, $0.0041`. Returns only the calls for a score reused from an
 * equal text, because its zero cost is no estimate.
 */
export function rescorePrice(times: number, calls: number, evaluation: EvaluationRecord | undefined): string {
  if (calls === 0) return 'no model calls, because Hone checks the criteria itself';
  const parts = [`about ${formatNumberOf(times * calls, 'call')}`];
  if (evaluation !== undefined && evaluation.copiedFrom === null) {
    const { tokenUsage, costUsd } = evaluation;
    parts.push(`${formatCount(tokenUsage.total * times)} tokens`);
    parts.push(costUsd === null ? 'no known price' : formatCost(costUsd * times, false));
  }
  return parts.join(', ');
}

/** Summarizes in one sentence how consistent the judge's overall scores are. */
export function spreadSentence({ n, lowest, highest, within, first }: ScoreSpread): string {
  if (n === 0 || lowest === null || highest === null || first === null) return 'None of the re-scores succeeded.';
  const near = formatScore(SAME_SCORE_TOLERANCE);
  const share =
    within === n
      ? `all ${n === 1 ? '' : `${n} `}within ${near} of the first`
      : `${within} of ${n} within ${near} of the first`;
  if (lowest === highest)
    return `The judge gave ${formatScore(lowest)} ${n === 1 ? 'once' : `all ${n} times`}, ${share}, ${formatScore(first)}.`;
  const verdict = within === n ? 'The judge is consistent' : 'The judge is inconsistent';
  return `${verdict}: from ${formatScore(lowest)} to ${formatScore(highest)}, ${share}, ${formatScore(first)}.`;
}

/** Returns the state of re-scores that did not all succeed: waiting, unscored, failed or not requested. Null if all did. */
export function rescoreState(report: RescoreReport): string | null {
  const done = report.asked - report.waiting;
  const parts = [
    report.waiting > 0 ? `${done} of ${report.asked} done, ${report.waiting} pending` : null,
    report.unscored > 0 ? `${report.unscored} unscored` : null,
    report.failed > 0 ? `${report.failed} failed` : null,
    report.skipped > 0 ? `${report.skipped} skipped after that` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

/** Returns the criteria that still need a score from a person. Empty if the evaluation is complete or its automatic part failed. */
export function listAwaitedCriteria(
  { status, criteriaScores, proposed = {} }: Pick<EvaluationRecord, 'status' | 'criteriaScores' | 'proposed'>,
  criteria: (Pick<Criterion, 'name' | 'evaluator'> & { config?: unknown })[],
): string[] {
  if (status === 'scored') return [];
  const missing = criteria.filter(({ name }) => (criteriaScores[name] ?? null) === null);
  const isAsked = (one: (typeof missing)[number]) =>
    waitsForPerson(one) ? !isScoredElsewhere(one) : proposed[one.name] !== undefined;
  return missing.every(isAsked) ? missing.map(({ name }) => name) : [];
}

/**
 * Returns the message for a finished run in which no version was scored, so none is best. Returns null for all other runs, and if a person
 * accepted a version.
 */
export function unscoredEnd(record: RunRecord, mode: ExperimentSettings['mode']): string | null {
  const { versions, bestVersion, convergenceReason } = record;
  const last = versions.at(-1);
  if (!isEnded(record) || last === undefined || bestVersion !== null || convergenceReason === 'user_accepted')
    return null;
  const isCutOff = versions.every(({ interrupted }) => interrupted);
  const one = mode === 'retry' ? 'attempt' : 'draft';
  if (versions.length === 1)
    return isCutOff
      ? `The ${one} was cut off and not scored, so there is no best version.`
      : 'The only version was not scored, so there is no best version.';
  const none = isCutOff ? `All ${one}s were cut off` : 'No version was scored';
  return `${none}, so there is no best version. v${last.number} is the last one.`;
}

/** Describes how the loop treats an attempt whose agent was interrupted. */
export function interruptedLabel({ origin }: Pick<VersionRecord, 'origin'>, hasEnded: boolean): string {
  if (origin !== 'retried')
    return 'The draft is kept, but not scored or revised. Resume the run, or give the agent more turns.';
  const next = hasEnded ? '' : ' The next attempt follows if one is left.';
  return `The attempt is kept, but not scored, and no lesson is written.${next}`;
}

/** Explains that the end of a version is missing, how the loop treats it, and what a person can do. */
export function cutOffLabel({ origin, parents }: Pick<VersionRecord, 'origin' | 'parents'>, hasEnded: boolean): string {
  const what = 'The model reached its token limit before the end of the text.';
  const [parent] = parents;
  if (origin !== 'revised' || parent === undefined)
    return `${what} Request a shorter text, or choose a model with a higher token limit.`;
  const next = hasEnded
    ? ''
    : ` Unless it scores higher than v${parent}, the next revision starts from v${parent} again.`;
  return `${what}${next} Raise the token limit of revisions, or use the strategy with exact edits.`;
}
