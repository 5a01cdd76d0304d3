import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { CALLS_PER_RUN, MODEL } from './loop-task.ts';

/** Returns settings of a retry experiment that is never solved, so that every run makes the same number of calls. */
export function retrySettings(provider: string): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'retry',
    generator: { provider, model: MODEL },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
    qualityThreshold: 1,
    maxAttempts: CALLS_PER_RUN,
    convergence: null,
    lessons: { write: 'off' },
  });
}
