'use server';

import { revalidatePath } from 'next/cache';
import type { McpServerView, McpTest } from '#lib/reflection/agents/mcp-server-view.ts';
import type { Result } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { deleteMcpServer } from '#lib/runs/tools/delete-mcp-server.ts';
import { saveMcpServer } from '#lib/runs/tools/save-mcp-server.ts';
import { testMcpServer } from '#lib/runs/tools/test-mcp-server.ts';
import { updateMcpServer } from '#lib/runs/tools/update-mcp-server.ts';
import { authorize } from '#lib/team/authorize.ts';

export async function addMcpServer(input: unknown): Promise<Result<McpServerView>> {
  const actor = await authorize({ name: 'action addMcpServer', role: 'owner' });
  const result = await saveMcpServer(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

export async function changeMcpServer(name: string, input: unknown): Promise<Result<McpServerView>> {
  const actor = await authorize({ name: 'action changeMcpServer', role: 'owner' });
  const result = await updateMcpServer(await getWorkshop(), actor, name, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Deletes a server that no experiment uses. */
export async function removeMcpServer(name: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action removeMcpServer', role: 'owner' });
  const result = await deleteMcpServer(await getWorkshop(), actor, name);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Asks a server for its tools and keeps them. */
export async function tryMcpServer(name: string): Promise<Result<McpTest>> {
  const actor = await authorize({ name: 'action tryMcpServer', role: 'owner' });
  const result = await testMcpServer(await getWorkshop(), actor, name);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
