import { getRunningApp } from '#lib/context/running-app.ts';

/** How many runs this app performs side by side, for estimates; workers of other processes come on top. */
export function runsAtOnce(): { atOnce: number } {
  return { atOnce: getRunningApp().environment.workerSlots };
}
