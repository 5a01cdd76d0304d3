const FIRST_STEP = -1_000_000;

/** The number below 0 that a retrospective's calls are journalled under, and its lessons stored with: apart from re-scores. */
export function retrospectiveStep(number: number): number {
  return FIRST_STEP - number;
}

/** The number of the retrospective whose step this is; null where it is none. */
export function retrospectiveOfStep(step: number): number | null {
  return step < FIRST_STEP ? FIRST_STEP - step : null;
}
