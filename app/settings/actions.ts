'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { updatePythonSetting } from '#lib/settings/python.ts';
import { updateTwoPersonReview } from '#lib/settings/two-person-review.ts';

/** Enables or disables Python tests for the whole installation. */
export const switchPythonAction = defineAction(
  'switchPythonAction',
  { role: 'owner', audit: 'changed' },
  async (actor, on: boolean) => updatePythonSetting(await getAppContext(), actor, { on }),
);

/** Sets if two reviewers must agree before a lesson is promoted. */
export const switchTwoPersonReviewAction = defineAction(
  'switchTwoPersonReviewAction',
  { role: 'owner', audit: 'changed' },
  async (actor, on: boolean) => updateTwoPersonReview(await getAppContext(), actor, { on }),
);
