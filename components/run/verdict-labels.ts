import type { EvaluationRecord } from '#lib/core/run-record.ts';
import { reaches } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { unscoredReasons } from '#lib/core/unscored-failure.ts';
import { formatList, formatScoreAgainst } from '#lib/format.ts';

type Scores = Pick<EvaluationRecord, 'overallScore' | 'criteriaScores'>;

/** What the rules made of the scores, as the end of a sentence: `overall 0.74 is under 0.80, and form is under its own 0.70`. */
export function ruleLabel(
  { overallScore, criteriaScores }: Scores,
  { qualityThreshold, criteria }: Pick<ExperimentSettings, 'qualityThreshold' | 'criteria'>,
): string {
  const overall = overallScore ?? 0;
  const shown = formatScoreAgainst(overall, qualityThreshold);
  const isUnder = !reaches(overall, qualityThreshold);
  const failing = criteria.flatMap(({ name, threshold }) => {
    const score = criteriaScores[name] ?? 0;
    if (threshold === null || reaches(score, threshold)) return [];
    return [`${name} is under its own ${formatScoreAgainst(score, threshold).threshold}`];
  });
  const hasOwn = criteria.some(({ threshold }) => threshold !== null);
  return [
    `overall ${shown.score} ${isUnder ? 'is under' : 'reaches'} ${shown.threshold}`,
    ...(failing.length > 0 ? [failing.join(', ')] : hasOwn ? ['no criterion is below its own threshold'] : []),
  ].join(', and ');
}

/** Why an evaluation holds a gap, a sentence for each criterion without a score. */
export function unscoredLabel(evaluation: Pick<EvaluationRecord, 'criteriaScores' | 'reasons'>): string {
  const reasons = unscoredReasons(evaluation);
  if (reasons.length === 0) return 'It is not fully scored.';
  const byReason = [...Map.groupBy(reasons, ({ why }) => why)];
  return byReason
    .map(([why, named]) => {
      const names = formatList(named.map(({ criterion }) => `“${criterion}”`));
      return `${names} ${named.length === 1 ? 'has' : 'have'} no score: ${why}.`;
    })
    .join(' ');
}
