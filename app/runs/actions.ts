'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import type { StopAllState } from '#lib/runs/schema.ts';
import { stopAllRuns } from '#lib/runs/stop-runs.ts';

/** Stops all queued and running runs, and on request also those that wait for a reviewer. */
export const stopAllAction = defineAction(
  'stopAllAction',
  { role: 'editor', audit: 'stopped' },
  async (actor, input: unknown): Promise<Result<StopAllState>> => {
    const result = await stopAllRuns(await getAppContext(), actor, input);
    revalidatePath('/', 'layout');
    return result;
  },
);
