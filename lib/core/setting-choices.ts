export const BEST_VERSION_RULES = ['highest_score', 'latest', 'first_satisfactory', 'weighted_recency'] as const;

/** Early stops, unless the settings name others. */
export const USUAL_EARLY_STOPS = {
  plateauIterations: 2,
  improvementThreshold: 0.05,
  detectOscillation: true,
  detectStability: true,
};
