import { z } from 'zod';

const count = z.int().min(0);
const score = z.number();

/**
 * What something adds to scores, case by case. `n` = cases scored both ways, `unscored` the others, which count nowhere. `lift` = mean
 * of with less without; `low` and `high` hold it with 95 % confidence, null for fewer than two cases. `isNoise`: the interval holds 0.
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
  /** So few cases that the interval is only a hint. */
  isSmall: z.boolean(),
  /** The cases that came out lower, the most harmed first. */
  harmedCases: z.array(z.object({ case: z.string(), without: score, with: score })),
});
export type PairedLift = z.infer<typeof pairedLiftSchema>;
