import type { AppContext } from '#lib/context/app-context.ts';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import { listCutArmCases } from './arm-cases.ts';
import { type ArmCases, verdictsAgainst } from './compare-arms.ts';
import type { Comparison } from './comparison-view.ts';
import type { ComparedArms } from './find-compared-arms.ts';
import { mostVersions } from './most-versions.ts';

/**
 * The comparison at equal effort: every run cut to the fewest versions that all arms may make. Null where all may make as many, where
 * the best version is not the highest one (what a cut run would have picked is not known), or while measures are missing.
 */
export async function compareCut(
  database: AppContext['database'],
  sides: readonly ArmCases[],
  arms: ComparedArms,
  metric: ComparedMetric,
): Promise<Comparison['cut']> {
  const caps = arms.map(({ settings }) => mostVersions(settings));
  const versions = Math.min(...caps);
  if (versions === Math.max(...caps)) return null;
  if (arms.some(({ settings }) => settings.bestVersion !== 'highest_score')) return null;
  const cut = await Promise.all(
    sides.map(async (side, place) => {
      const arm = arms[place];
      if (arm === undefined || caps[place] === versions) return side;
      const cases = await listCutArmCases(database, arm, versions);
      return cases === null ? null : { ...side, cases };
    }),
  );
  const [baseline, ...others] = cut.filter((side) => side !== null);
  if (baseline === undefined || others.length + 1 < cut.length) return null;
  return { versions, against: verdictsAgainst(baseline, others, metric) };
}
