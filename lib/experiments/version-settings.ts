import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';

const remembered = new Map<string, ExperimentSettings>();
const MOST_REMEMBERED = 2_000;

/**
 * The stored settings of a version of an experiment, checked. Those of a version never change, and checking them takes longer than all else of
 * a row in a list: it is done once while they are remembered.
 */
export function settingsOfVersion(experimentId: string, version: number, stored: unknown): ExperimentSettings {
  const key = `${experimentId} ${version}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const settings = settingsSchema.parse(stored);
  remembered.set(key, settings);
  return settings;
}
