'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { savePromptVersion } from '#lib/prompts/save-prompt-version.ts';

/** Saves what the person was writing as a version; their draft goes with it. */
export const saveDraftAction = defineAction(
  'saveDraftAction',
  { role: 'editor', audit: 'changed' },
  async (actor, promptName: string, input: unknown): Promise<Result<{ name: string; version: number }>> => {
    const result = await savePromptVersion(await getAppContext(), actor, promptName, input, { dropDraft: true });
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
