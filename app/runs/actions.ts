'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import type { StopAllState } from '#lib/reflection/stop-all.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { stopAllRuns } from '#lib/runs/stop-all/stop-all-runs.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** Stops all runs that are queued or under way, and on request those that wait for a person. */
export const stopAllAction = defineAction(
  'stopAllAction',
  { role: 'editor', audit: 'stopped' },
  async (actor, input: unknown): Promise<Result<StopAllState>> => {
    const result = await stopAllRuns(await getWorkshop(), actor, input);
    revalidatePath('/', 'layout');
    return result;
  },
);
