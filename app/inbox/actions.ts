'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { decide } from '#lib/runs/decide.ts';

/** Submits a decision on an item. Does not revalidate the page, because the inbox refetches its own list. */
export const decideFromInboxAction = defineAction(
  'decideFromInboxAction',
  { role: 'reviewer', id: 'run', audit: ['decided', 'scored'] },
  async (actor, runId: string, input: unknown) => decide(await getAppContext(), actor, runId, input),
);
