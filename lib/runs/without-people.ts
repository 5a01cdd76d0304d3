import type { ExperimentSettings } from '#lib/core/settings.ts';

/** The settings with only those criteria that are scored without a person: what can be scored again at any time. May be left with none. */
export function withoutPeople<Settings extends Pick<ExperimentSettings, 'criteria'>>(settings: Settings): Settings {
  return { ...settings, criteria: settings.criteria.filter(({ evaluator }) => evaluator !== 'human') };
}
