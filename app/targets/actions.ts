'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { testTarget } from '#lib/model-calls/test-target.ts';
import { deleteTarget, saveTarget } from '#lib/targets/save-target.ts';

export const saveTargetAction = defineAction(
  'saveTargetAction',
  { role: 'owner', audit: ['created', 'changed'], refreshes: true },
  async (actor, name: string, input: unknown) => saveTarget(await getAppContext(), actor, name, input),
);

/** Deletes a target even if it is in use. The page has already listed its users. */
export const removeTargetAction = defineAction(
  'removeTargetAction',
  { role: 'owner', named: 'target', audit: 'deleted', refreshes: true },
  async (actor, name: string) => deleteTarget(await getAppContext(), actor, name, { evenInUse: true }),
);

/** Sends one case to a target. */
export const testTargetAction = defineAction(
  'testTargetAction',
  { role: 'editor', named: 'target', limit: 'test', audit: 'tested' },
  async (actor, name: string, input: string) => testTarget(await getAppContext(), actor, name, { input }),
);
