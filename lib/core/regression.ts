import type { History, Version } from './history.ts';
import { roundTo6 } from './round.ts';
import { scoreOf } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';

/** A version that fell, below which one, and how far (a score difference above the quality-drop threshold). */
export type Regression = { version: number; before: number; fell: number };

/** How far a version fell below its parent, when that is more than the quality-drop threshold; null otherwise. */
export function regression(
  history: History,
  settings: ExperimentSettings,
  version: Version,
): Omit<Regression, 'before'> | null {
  const [parent] = version.parents;
  const fall = parent === undefined ? null : fallFrom(history, settings, version, parent);
  return fall === null ? null : { version: fall.version, fell: fall.fell };
}

/** The same for versions without a parent too (attempts): they are measured against the version made just before. */
export function qualityDrop(history: History, settings: ExperimentSettings, version: Version): Regression | null {
  const before = version.parents[0] ?? history.versions.findLast(({ number }) => number < version.number)?.number;
  return before === undefined ? null : fallFrom(history, settings, version, before);
}

function fallFrom(history: History, settings: ExperimentSettings, version: Version, from: number): Regression | null {
  const before = scoreOf(history, from);
  const after = scoreOf(history, version.number);
  if (before === null || after === null) return null;
  const fell = roundTo6(before - after);
  return fell > settings.triggers.qualityDropThreshold ? { version: version.number, before: from, fell } : null;
}
