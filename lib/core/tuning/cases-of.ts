import type { ExampleScore, History, Split } from '../history.ts';
import { roundTo6 } from '../round.ts';

/** Positions of the cases of a split, in their order. */
export function positionsOf({ cases }: Pick<History, 'cases'>, split: Split): number[] {
  return cases.flatMap((one) => (one.split === split ? [one.position] : []));
}

/** Positions of the cases that candidates are validated on: the training cases where none were set apart. */
export function validationPositions(history: Pick<History, 'cases'>): number[] {
  const validation = positionsOf(history, 'validation');
  return validation.length > 0 ? validation : positionsOf(history, 'train');
}

/** Whether a try leaves nothing to mend: it is satisfactory and scores 1. */
export function isRight(tried: ExampleScore | undefined): boolean {
  return tried?.satisfactory === true && roundTo6(tried.score ?? 0) >= 1;
}
