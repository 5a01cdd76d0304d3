'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { savePromptVersion } from '#lib/runs/prompts/save-prompt-version.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Saves what the person was writing as a version; their draft goes with it. */
export async function saveDraftAction(
  promptName: string,
  input: unknown,
): Promise<Result<{ name: string; version: number }>> {
  const actor = await authorize({ name: 'action saveDraftAction', role: 'editor' });
  const result = await savePromptVersion(await getWorkshop(), actor, promptName, input, { dropDraft: true });
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
