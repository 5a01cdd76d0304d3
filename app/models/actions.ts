'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import type { ProviderTest } from '#lib/reflection/provider-test.ts';
import { deleteProvider } from '#lib/runs/delete-provider.ts';
import { detectLocalServers, type FoundServer } from '#lib/runs/detect-local-servers.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { saveProvider } from '#lib/runs/save-provider.ts';
import { setPrices } from '#lib/runs/set-prices.ts';
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

/** Asks a provider for its models, which costs nothing; where a model is named, really asks that one. */
export async function tryProvider(
  name: string,
  model: string | null,
  temperature?: unknown,
): Promise<Result<ProviderTest & { at: string }>> {
  const actor = await authorize({ name: 'action tryProvider', role: 'owner' });
  return testProvider(await getWorkshop(), actor, name, { model, ...(temperature !== undefined && { temperature }) });
}

/** Looks which servers of models run on this machine. */
export async function findServers(): Promise<Result<FoundServer[]>> {
  const actor = await authorize({ name: 'action findServers', role: 'owner' });
  return detectLocalServers(await getWorkshop(), actor);
}

export async function changePrices(input: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action changePrices', role: 'owner' });
  const result = await setPrices(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
