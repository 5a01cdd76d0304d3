'use server';

import type { Result } from '#lib/reflection/problem.ts';
import { decide } from '#lib/runs/decide.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Takes a decision on an item. Nothing is drawn anew on the server for it: the inbox reads what waits by itself. */
export async function decideFromInbox(runId: string, input: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action decideFromInbox', role: 'reviewer' });
  return decide(await getWorkshop(), actor, runId, input);
}
