'use server';

import type { Result } from '#lib/reflection/problem.ts';
import { decide } from '#lib/runs/decide.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** Takes a decision on an item. Nothing is drawn anew on the server for it: the inbox reads what waits by itself. */
export const decideFromInboxAction = defineAction(
  'decideFromInboxAction',
  { role: 'reviewer', audit: ['decided', 'scored'] },
  async (actor, runId: string, input: unknown): Promise<Result<unknown>> => {
    return decide(await getWorkshop(), actor, runId, input);
  },
);
