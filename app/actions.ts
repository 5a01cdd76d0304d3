'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { startSample } from '#lib/samples/samples.ts';

/** Starts a sample experiment and returns the path of the page that shows it. */
export const startSampleAction = defineAction(
  'startSampleAction',
  { role: 'editor', limit: 'start', audit: 'started' },
  async (actor, kind: string) => startSample(await getAppContext(), actor, kind),
);
