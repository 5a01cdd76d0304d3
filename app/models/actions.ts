'use server';

import { revalidatePath } from 'next/cache';
import type { ConnectionTest } from '#lib/models/test-connection.ts';
import type { Result } from '#lib/reflection/problem.ts';
import { deleteProvider } from '#lib/runs/delete-provider.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { saveProvider } from '#lib/runs/save-provider.ts';
import { testProvider } from '#lib/runs/test-provider.ts';
import { updateProvider } from '#lib/runs/update-provider.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Adds a provider; its key goes in and never comes out again. */
export async function addProvider(input: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action addProvider', role: 'owner' });
  const result = await saveProvider(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

export async function changeProvider(name: string, input: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action changeProvider', role: 'owner' });
  const result = await updateProvider(await getWorkshop(), actor, name, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Also one that is in use: the page has said by whom. */
export async function removeProvider(name: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action removeProvider', role: 'owner' });
  const result = await deleteProvider(await getWorkshop(), actor, name, { evenInUse: true });
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Asks a provider for its models; costs nothing. */
export async function tryProvider(name: string): Promise<Result<ConnectionTest>> {
  const actor = await authorize({ name: 'action tryProvider', role: 'owner' });
  return testProvider(await getWorkshop(), actor, name);
}
