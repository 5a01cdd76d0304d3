'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import type { TriedRecall } from '#lib/lessons/schema.ts';
import { tryRecall } from '#lib/lessons/try-recall.ts';

/** What a run of an input would be given of the library (`tryRecallInputSchema`). */
export const tryRecallAction = defineAction(
  'tryRecallAction',
  { role: 'reviewer', audit: { none: 'only looks: calls of models it may make are in the spend' } },
  async (actor, input: unknown): Promise<Result<TriedRecall>> => {
    return tryRecall(await getAppContext(), actor, input);
  },
);
