'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { type TargetTest, testTarget } from '#lib/model-calls/test-target.ts';
import { deleteTarget, saveTarget } from '#lib/targets/save-target.ts';
import { refreshPages } from '../refresh-pages.ts';

export const saveTargetAction = defineAction(
  'saveTargetAction',
  { role: 'owner', audit: ['created', 'changed'] },
  async (actor, name: string, input: unknown): Promise<Result<unknown>> =>
    refreshPages(await saveTarget(await getAppContext(), actor, name, input)),
);

/** Deletes a target even if it is in use. The page has already listed its users. */
export const removeTargetAction = defineAction(
  'removeTargetAction',
  { role: 'owner', named: 'target', audit: 'deleted' },
  async (actor, name: string): Promise<Result<unknown>> =>
    refreshPages(await deleteTarget(await getAppContext(), actor, name, { evenInUse: true })),
);

/** Sends one case to a target. */
export const testTargetAction = defineAction(
  'testTargetAction',
  { role: 'editor', named: 'target', limit: 'test', audit: 'tested' },
  async (actor, name: string, input: string): Promise<Result<TargetTest>> => {
    return testTarget(await getAppContext(), actor, name, { input });
  },
);
