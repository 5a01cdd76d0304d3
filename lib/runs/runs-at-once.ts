import { getRunningApp } from '#lib/context/running-app.ts';

/** Returns the number of runs this app performs in parallel, for estimates. Workers of other processes are not included. */
export function runsAtOnce(): { atOnce: number } {
  return { atOnce: getRunningApp().environment.workerSlots };
}
