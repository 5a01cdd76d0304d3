import { z } from 'zod';
import { packOptions } from '#lib/core/prompt-options.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { CONTROL_KINDS, EXPERIMENT_ORIGINS } from './schema.ts';

export const experimentOriginSchema = z.enum(EXPERIMENT_ORIGINS);
export const controlKindSchema = z.enum(CONTROL_KINDS);

/** Returns settings in stored form. Parsing it restores the settings. */
export function storedSettings(settings: ExperimentSettings): ExperimentSettings {
  return { ...settings, generator: { ...settings.generator, ...packOptions(settings.generator) } };
}

const settingsCache = new Map<string, ExperimentSettings>();
const MAX_CACHED_SETTINGS = 2_000;

/**
 * Parses the stored settings of an experiment version. Parsing takes most of the time of a list row, and the settings of a version never
 * change, so parsed settings are cached.
 */
export function settingsOfVersion(experimentId: string, version: number, stored: unknown): ExperimentSettings {
  const key = `${experimentId} ${version}`;
  const known = settingsCache.get(key);
  if (known !== undefined) return known;
  if (settingsCache.size >= MAX_CACHED_SETTINGS) settingsCache.clear();
  const settings = settingsSchema.parse(stored);
  settingsCache.set(key, settings);
  return settings;
}
