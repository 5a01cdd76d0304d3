import { listCutArmCases } from '#lib/db/arm-cases.ts';
import { type ArmCases, compareArms } from '#lib/measures/compare-arms.ts';
import type { Comparison } from '#lib/measures/comparison-view.ts';
import { mostVersions } from '#lib/measures/most-versions.ts';
import type { ComparedMetric } from '#lib/measures/paired-verdict.ts';
import type { Workshop } from '../workshop.ts';
import type { ComparedArms } from './find-compared-arms.ts';

/**
 * The comparison at equal effort: every run cut to the fewest versions that all arms may make. Null where all may make as many, where
 * the best version is not the highest one (what a cut run would have picked is not known), or while measures are missing.
 */
export async function compareCut(
  database: Workshop['database'],
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
  const whole = cut.filter((side) => side !== null);
  if (whole.length < cut.length) return null;
  const compared = compareArms(whole, { baseline: sides[0]?.arm ?? '', metric });
  return { versions, against: compared.against.map((one) => one[metric]) };
}
