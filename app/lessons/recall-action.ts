'use server';

import type { Result } from '#lib/reflection/problem.ts';
import type { TriedRecall } from '#lib/reflection/tried-recall.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { tryRecall } from '#lib/runs/try-recall.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** What a run of an input would be given of the library (`tryRecallInputSchema`). */
export const tryRecallAction = defineAction(
  'tryRecallAction',
  { role: 'reviewer', audit: { none: 'only looks: calls of models it may make are in the spend' } },
  async (actor, input: unknown): Promise<Result<TriedRecall>> => {
    return tryRecall(await getWorkshop(), actor, input);
  },
);
