'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { removeView, saveView } from '#lib/runs/save-view.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** Keeps a filtered list under a name, for the one who asks. */
export const keepViewAction = defineAction(
  'keepViewAction',
  { role: 'reviewer', audit: { none: 'one’s own list of filters' } },
  async (actor, input: unknown): Promise<Result<{ name: string }>> => {
    const result = await saveView(await getWorkshop(), actor, input);
    if (result.ok) revalidatePath('/experiments');
    return result;
  },
);

/** Forgets a view that the asker keeps. */
export const removeKeptViewAction = defineAction(
  'removeKeptViewAction',
  { role: 'reviewer', audit: { none: 'one’s own list of filters' } },
  async (actor, id: string): Promise<Result<{ removed: true }>> => {
    const result = await removeView(await getWorkshop(), actor, id);
    if (result.ok) revalidatePath('/experiments');
    return result;
  },
);
