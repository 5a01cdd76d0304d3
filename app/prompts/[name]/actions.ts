'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { savePromptVersion } from '#lib/runs/prompts/save-prompt-version.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** Saves what the person was writing as a version; their draft goes with it. */
export const saveDraftAction = defineAction(
  'saveDraftAction',
  { role: 'editor', audit: 'changed' },
  async (actor, promptName: string, input: unknown): Promise<Result<{ name: string; version: number }>> => {
    const result = await savePromptVersion(await getWorkshop(), actor, promptName, input, { dropDraft: true });
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
