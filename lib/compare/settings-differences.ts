import { z } from 'zod';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** A setting that differs: its path (`lessons.store`), and both values in short; both null where they are too long to be shown in a line. */
export const settingsDifferenceSchema = z.object({
  setting: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type SettingsDifference = z.infer<typeof settingsDifferenceSchema>;

/** Values longer than this, in characters, are only said to differ. */
const LONGEST = 40;

/** What differs from one set of settings to another, in the order of the settings. Lists and texts are compared as a whole. */
export function settingsDifferences(before: ExperimentSettings, after: ExperimentSettings): SettingsDifference[] {
  return differences('', before, after);
}

function differences(path: string, before: unknown, after: unknown): SettingsDifference[] {
  if (isGroup(before) && isGroup(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differences(path === '' ? name : `${path}.${name}`, before[name], after[name]),
    );
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, fresh] = [inShort(before), inShort(after)];
  const isShort = old.length <= LONGEST && fresh.length <= LONGEST;
  return [{ setting: path, before: isShort ? old : null, after: isShort ? fresh : null }];
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inShort(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (isGroup(value) && typeof value.model === 'string') return value.model;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
