import { z } from 'zod';
import { bestVersion } from '#lib/reflection/best-version.ts';
import type { History } from '#lib/reflection/history.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { positionsOf, validationPositions } from '#lib/reflection/tuning/cases-of.ts';
import { effectiveTries } from '#lib/reflection/tuning/effective-tries.ts';
import { pairedLift, pairedLiftSchema } from './paired-lift.ts';

const gainSchema = pairedLiftSchema.pick({ n: true, lift: true, low: true, high: true, isNoise: true }).nullable();

/**
 * What a prompt scores more than the one that was given, case by case over the same cases: those candidates are chosen by, and the
 * held-out ones. Null until each case of the kind is scored for both.
 */
export const tuningGainSchema = z.object({ version: z.int(), chosenBy: gainSchema, heldOut: gainSchema });
export type TuningGain = z.infer<typeof tuningGainSchema>;

/** The gain of the prompt that was accepted, else of the best so far, with paired 95 % intervals; null while that is the given one. */
export function tuningGain(history: History, settings: ExperimentSettings): TuningGain | null {
  const accepted = history.decisions.findLast(({ decision }) => decision === 'accept')?.version ?? null;
  const version = accepted ?? bestVersion(history, settings.bestVersion);
  if (version === null || version === 0) return null;
  const [before, after] = [effectiveTries(history, 0), effectiveTries(history, version)];
  const gainOn = (positions: readonly number[]) => {
    const lift = pairedLift(
      positions.map((position) => ({
        case: String(position),
        without: before.get(position)?.score ?? null,
        with: after.get(position)?.score ?? null,
      })),
      `gain of version ${version}`,
    );
    if (lift.n === 0 || lift.unscored > 0) return null;
    const { n, lift: mean, low, high, isNoise } = lift;
    return { n, lift: mean, low, high, isNoise };
  };
  return { version, chosenBy: gainOn(validationPositions(history)), heldOut: gainOn(positionsOf(history, 'held_out')) };
}
