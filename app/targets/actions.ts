'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { type TargetTest, testTarget } from '#lib/model-calls/test-target.ts';
import { deleteTarget, saveTarget } from '#lib/targets/save-target.ts';

export const saveTargetAction = defineAction(
  'saveTargetAction',
  { role: 'owner', audit: ['created', 'changed'] },
  async (actor, name: string, input: unknown): Promise<Result<unknown>> => {
    const result = await saveTarget(await getAppContext(), actor, name, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

/** Also one that is in use: the page has said by whom. */
export const removeTargetAction = defineAction(
  'removeTargetAction',
  { role: 'owner', audit: 'deleted' },
  async (actor, name: string): Promise<Result<unknown>> => {
    const result = await deleteTarget(await getAppContext(), actor, name, { evenInUse: true });
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

/** Sends one case to a target. */
export const testTargetAction = defineAction(
  'testTargetAction',
  { role: 'editor', limit: 'test', audit: 'tested' },
  async (actor, name: string, input: string): Promise<Result<TargetTest>> => {
    return testTarget(await getAppContext(), actor, name, { input });
  },
);
