import { z } from 'zod';

const count = z.int().min(0);
const score = z.number();

/**
 * Score lift from a change, case by case. `n` is the number of cases scored both ways. `unscored` counts the others, which are ignored.
 * `lift` is the mean with the change minus the mean without it. `low` and `high` are its 95 % confidence bounds, or null for too few
 * cases to estimate them. `isNoise`: true if the interval contains 0 or is unknown.
 */
export const pairedLiftSchema = z.object({
  n: count,
  unscored: count,
  without: score.nullable(),
  with: score.nullable(),
  lift: score.nullable(),
  low: score.nullable(),
  high: score.nullable(),
  helped: count,
  harmed: count,
  same: count,
  isNoise: z.boolean(),
  /** True if there are so few cases that the interval is only approximate. */
  isSmall: z.boolean(),
  /** The cases with a lower score, largest drop first. */
  harmedCases: z.array(z.object({ case: z.string(), without: score, with: score })),
});
export type PairedLift = z.infer<typeof pairedLiftSchema>;
