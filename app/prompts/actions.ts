'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import type { LabelProof } from '#lib/reflection/label-proof.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { promptVersionNumberSchema } from '#lib/reflection/prompt-library.ts';
import type { MovedLabel } from '#lib/reflection/prompt-record.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { createPrompt } from '#lib/runs/prompts/create-prompt.ts';
import { deletePrompt } from '#lib/runs/prompts/delete-prompt.ts';
import { movePromptLabel } from '#lib/runs/prompts/move-prompt-label.ts';
import { proveLabel } from '#lib/runs/prompts/prove-label.ts';
import { rollBackPromptLabel } from '#lib/runs/prompts/roll-back-prompt-label.ts';
import { takeOffPromptLabel } from '#lib/runs/prompts/take-off-prompt-label.ts';
import { updatePromptSetup } from '#lib/runs/prompts/update-prompt-setup.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Stores a prompt with its first version. */
export async function createPromptAction(input: unknown): Promise<Result<{ name: string; version: number }>> {
  const actor = await authorize({ name: 'action createPromptAction', role: 'editor' });
  return shown(await createPrompt(await getWorkshop(), actor, input));
}

export async function movePromptLabelAction(name: string, label: string, input: unknown): Promise<Result<MovedLabel>> {
  const actor = await authorize({ name: 'action movePromptLabelAction', role: 'editor' });
  return shown(await movePromptLabel(await getWorkshop(), actor, name, label, input));
}

export async function takeOffPromptLabelAction(name: string, label: string): Promise<Result<MovedLabel>> {
  const actor = await authorize({ name: 'action takeOffPromptLabelAction', role: 'editor' });
  return shown(await takeOffPromptLabel(await getWorkshop(), actor, name, label));
}

export async function rollBackPromptLabelAction(
  name: string,
  label: string,
  input: unknown,
): Promise<Result<MovedLabel>> {
  const actor = await authorize({ name: 'action rollBackPromptLabelAction', role: 'editor' });
  return shown(await rollBackPromptLabel(await getWorkshop(), actor, name, label, input));
}

const comparedSchema = z.strictObject({ version: promptVersionNumberSchema, against: promptVersionNumberSchema });

/** What the held-out cases say of a version against another one; nothing is stored. */
export async function provePromptLabelAction(name: string, versions: unknown): Promise<Result<LabelProof>> {
  await authorize({ name: 'action provePromptLabelAction', role: 'editor' });
  const compared = comparedSchema.safeParse(versions);
  if (!compared.success) return fail('invalid', 'A version is compared with another one by their numbers.');
  const proof = await proveLabel(await getWorkshop(), name, compared.data);
  return proof === null ? fail('not_found', `There are no such versions of the prompt "${name}".`) : succeed(proof);
}

/** Changes what a prompt is tried with. */
export async function updatePromptSetupAction(name: string, input: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action updatePromptSetupAction', role: 'editor' });
  return shown(await updatePromptSetup(await getWorkshop(), actor, name, input));
}

export async function deletePromptAction(name: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action deletePromptAction', role: 'editor' });
  return shown(await deletePrompt(await getWorkshop(), actor, name));
}

/** Pages are made anew once something was stored. */
function shown<Value>(result: Result<Value>): Result<Value> {
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
