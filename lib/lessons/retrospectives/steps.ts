const FIRST_STEP = -1_000_000;

/** Returns the negative step under which a retrospective's calls and lessons are stored, distinct from re-scores. */
export function retrospectiveStep(number: number): number {
  return FIRST_STEP - number;
}

/** Returns the number of the retrospective with this step, or null if the step belongs to none. */
export function retrospectiveOfStep(step: number): number | null {
  return step < FIRST_STEP ? FIRST_STEP - step : null;
}
