'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { stopAllRuns } from '#lib/runs/stop-runs.ts';

/** Stops all queued and running runs, and on request also those that wait for a reviewer. */
export const stopAllAction = defineAction(
  'stopAllAction',
  { role: 'editor', audit: 'stopped', refreshes: 'always' },
  async (actor, input: unknown) => stopAllRuns(await getAppContext(), actor, input),
);
