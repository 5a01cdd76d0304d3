import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { IMPORTED_PROVIDER, SCORED_ELSEWHERE } from '#lib/runs/imported-runs.ts';

/** What the lines of an import say about how the runs were made. */
export type ImportFacts = {
  models: readonly string[];
  /** The attempts of the longest history. */
  mostAttempts: number;
  /** Some line tells a score, and not only whether the attempt solved its case. */
  hasScores: boolean;
  /** The score from which an attempt counts as solved where its line does not say so. */
  solvedFrom: number;
};

/** What the one criterion of an import is called. */
export function importedCriterion({ hasScores }: Pick<ImportFacts, 'hasScores'>): 'score' | 'solved' {
  return hasScores ? 'score' : 'solved';
}

/**
 * The settings that past runs of another system are shown under: fresh attempts, one criterion that no model of ours judges, and no early
 * stops. They describe what is known; they are not meant to be run.
 */
export function importedSettings(facts: ImportFacts): ExperimentSettings {
  const threshold = facts.hasScores ? facts.solvedFrom : 1;
  return settingsSchema.parse({
    mode: 'retry',
    generator: { provider: IMPORTED_PROVIDER, model: modelName(facts.models), temperature: null },
    criteria: [
      { name: importedCriterion(facts), threshold, evaluator: 'human', config: { question: SCORED_ELSEWHERE } },
    ],
    qualityThreshold: threshold,
    maxAttempts: Math.min(50, Math.max(1, facts.mostAttempts)),
    convergence: null,
    lessons: { store: 'none', retentionPerAgent: null },
  });
}

function modelName(models: readonly string[]): string {
  const all = models.join(', ');
  if (all === '') return 'unknown';
  return all.length > 200 ? `${all.slice(0, 199)}…` : all;
}
