'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { startSample } from '#lib/samples/start-sample.ts';

/** Starts a sample that somebody is about to watch. */
export const startSampleAction = defineAction(
  'startSampleAction',
  { role: 'editor', limit: 'start', audit: 'started' },
  async (actor, kind: string): Promise<Result<{ path: string }>> => {
    const started = await startSample(await getAppContext(), actor, kind);
    if (started.ok) revalidatePath('/', 'layout');
    return started;
  },
);
