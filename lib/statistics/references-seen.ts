import type { History } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { referenceFor } from '#lib/core/tuning/proposal-prompt.ts';

/** The positions of the training cases whose references the reflection model was shown, in their order; empty where they are off. */
export function referencesSeen(
  { versions, cases }: Pick<History, 'versions' | 'cases'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
): number[] {
  const shown = new Set(versions.flatMap(({ proposal }) => proposal?.positions ?? []));
  return cases.flatMap((one) => (shown.has(one.position) && referenceFor(one, tune) !== null ? [one.position] : []));
}
