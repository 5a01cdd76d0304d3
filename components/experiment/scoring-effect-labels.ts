import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { ScoringEffect } from '#lib/statistics/scoring-effect.ts';

/** Effect of edited scoring, with the number of checked scores and the settings version they are from. */
export type ScoringPreview = ScoringEffect & { looked: number; total: number; experimentVersion: number };

/** Returns the basis of the effect: the number of stored scores and their batch. */
export function basisLabel({ n, runs, unscored, looked, total, experimentVersion }: ScoringPreview): string {
  const parts = [
    `${formatNumberOf(n, 'stored score')} of ${formatNumberOf(runs, 'run')} in the latest batch, run under settings v${experimentVersion}`,
  ];
  if (unscored > 0) parts.push(`${formatNumberOf(unscored, 'unscored one')} left out`);
  if (looked < total)
    parts.push(`the first ${formatNumberOf(looked, 'score')} of ${formatNumberOf(total, 'score')} checked`);
  return `${parts.join('; ')}.`;
}

/** Returns the effect as a sentence. */
export function effectLabel(effect: ScoringEffect): string {
  const { n, satisfactory, overall, runsWithOtherBest, unknownCriteria } = effect;
  if (unknownCriteria.length > 0)
    return `${unknownCriteria.join(', ')} ${unknownCriteria.length === 1 ? 'was' : 'were'} not scored there, so the effect is unknown until a run.`;
  if (n === 0 || overall === null) return 'No stored score has all criteria, so the effect is unknown until a run.';
  const isSame =
    satisfactory.before === satisfactory.after &&
    formatScore(overall.before) === formatScore(overall.after) &&
    runsWithOtherBest === 0;
  if (isSame) return 'Stored scores would not change.';
  const difference = satisfactory.after - satisfactory.before;
  if (difference === 0) return 'The number of satisfactory versions would not change.';
  return `${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'} would be satisfactory.`;
}
