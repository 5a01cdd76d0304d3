'use server';

import { revalidatePath } from 'next/cache';
import type { McpServerView, McpTest } from '#lib/reflection/agents/mcp-server-view.ts';
import type { Result } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { deleteMcpServer } from '#lib/runs/tools/delete-mcp-server.ts';
import { saveMcpServer } from '#lib/runs/tools/save-mcp-server.ts';
import { testMcpServer } from '#lib/runs/tools/test-mcp-server.ts';
import { updateMcpServer } from '#lib/runs/tools/update-mcp-server.ts';
import { defineAction } from '#lib/team/define-action.ts';

export const addMcpServerAction = defineAction(
  'addMcpServerAction',
  { role: 'owner', audit: 'created' },
  async (actor, input: unknown): Promise<Result<McpServerView>> => {
    const result = await saveMcpServer(await getWorkshop(), actor, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

export const changeMcpServerAction = defineAction(
  'changeMcpServerAction',
  { role: 'owner', audit: 'changed' },
  async (actor, name: string, input: unknown): Promise<Result<McpServerView>> => {
    const result = await updateMcpServer(await getWorkshop(), actor, name, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

/** Deletes a server that no experiment uses. */
export const removeMcpServerAction = defineAction(
  'removeMcpServerAction',
  { role: 'owner', audit: 'deleted' },
  async (actor, name: string): Promise<Result<unknown>> => {
    const result = await deleteMcpServer(await getWorkshop(), actor, name);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

/** Asks a server for its tools and keeps them. */
export const tryMcpServerAction = defineAction(
  'tryMcpServerAction',
  { role: 'owner', limit: 'test', audit: 'tested' },
  async (actor, name: string): Promise<Result<McpTest>> => {
    const result = await testMcpServer(await getWorkshop(), actor, name);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
