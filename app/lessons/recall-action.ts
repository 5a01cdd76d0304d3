'use server';

import type { Result } from '#lib/reflection/problem.ts';
import type { TriedRecall } from '#lib/reflection/tried-recall.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { tryRecall } from '#lib/runs/try-recall.ts';
import { authorize } from '#lib/team/authorize.ts';

/** What a run of an input would be given of the library (`tryRecallInputSchema`). */
export async function tryRecallAction(input: unknown): Promise<Result<TriedRecall>> {
  const actor = await authorize({ name: 'action tryRecallAction', role: 'reviewer' });
  return tryRecall(await getWorkshop(), actor, input);
}
