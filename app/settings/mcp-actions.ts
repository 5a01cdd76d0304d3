'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { deleteMcpServer, saveMcpServer, updateMcpServer } from '#lib/mcp-servers/save-mcp-server.ts';
import type { McpServerView, McpTest } from '#lib/mcp-servers/schema.ts';
import { testMcpServer } from '#lib/mcp-servers/test-mcp-server.ts';

export const addMcpServerAction = defineAction(
  'addMcpServerAction',
  { role: 'owner', audit: 'created' },
  async (actor, input: unknown): Promise<Result<McpServerView>> => {
    const result = await saveMcpServer(await getAppContext(), actor, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

export const changeMcpServerAction = defineAction(
  'changeMcpServerAction',
  { role: 'owner', audit: 'changed' },
  async (actor, name: string, input: unknown): Promise<Result<McpServerView>> => {
    const result = await updateMcpServer(await getAppContext(), actor, name, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

/** Deletes a server that no experiment uses. */
export const removeMcpServerAction = defineAction(
  'removeMcpServerAction',
  { role: 'owner', audit: 'deleted' },
  async (actor, name: string): Promise<Result<unknown>> => {
    const result = await deleteMcpServer(await getAppContext(), actor, name);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

/** Asks a server for its tools and keeps them. */
export const tryMcpServerAction = defineAction(
  'tryMcpServerAction',
  { role: 'owner', limit: 'test', audit: 'tested' },
  async (actor, name: string): Promise<Result<McpTest>> => {
    const result = await testMcpServer(await getAppContext(), actor, name);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
