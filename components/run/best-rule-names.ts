import type { ExperimentSettings } from '#lib/core/settings.ts';

/** The rules for the best version, as people read them. */
export const RULE_NAMES: Record<ExperimentSettings['bestVersion'], string> = {
  highest_score: 'Highest score',
  latest: 'Latest',
  first_satisfactory: 'First satisfactory',
  weighted_recency: 'Weighted recency',
};
