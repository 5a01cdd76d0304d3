'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { removeView, saveView } from '#lib/runs/save-view.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Keeps a filtered list under a name, for the one who asks. */
export async function keepView(input: unknown): Promise<Result<{ name: string }>> {
  const actor = await authorize({ name: 'action keepView', role: 'reviewer' });
  const result = await saveView(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/experiments');
  return result;
}

/** Forgets a view that the asker keeps. */
export async function removeKeptView(id: string): Promise<Result<{ removed: true }>> {
  const actor = await authorize({ name: 'action removeKeptView', role: 'reviewer' });
  const result = await removeView(await getWorkshop(), actor, id);
  if (result.ok) revalidatePath('/experiments');
  return result;
}
