'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { removeView, saveView } from '#lib/views/saved-views.ts';

/** Keeps a filtered list under a name, for the one who asks. */
export const keepViewAction = defineAction(
  'keepViewAction',
  { role: 'reviewer', audit: { none: 'one’s own list of filters' } },
  async (actor, input: unknown): Promise<Result<{ name: string }>> => {
    const result = await saveView(await getAppContext(), actor, input);
    if (result.ok) revalidatePath('/experiments');
    return result;
  },
);

/** Forgets a view that the asker keeps. */
export const removeKeptViewAction = defineAction(
  'removeKeptViewAction',
  { role: 'reviewer', audit: { none: 'one’s own list of filters' } },
  async (actor, id: string): Promise<Result<{ removed: true }>> => {
    const result = await removeView(await getAppContext(), actor, id);
    if (result.ok) revalidatePath('/experiments');
    return result;
  },
);
