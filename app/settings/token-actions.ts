'use server';

import type { ApiToken } from '#lib/auth/api-token.ts';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { createToken, revokeToken } from '#lib/team/tokens.ts';

/** Creates an API token. The token is returned only once. */
export const makeApiTokenAction = defineAction(
  'makeApiTokenAction',
  { role: 'owner', limit: 'password', audit: 'created' },
  async (actor, input: unknown) => createToken(await getAppContext(), actor, input),
);

export const revokeApiTokenAction = defineAction(
  'revokeApiTokenAction',
  { role: 'owner', audit: 'revoked' },
  async (actor, id: string): Promise<Result<ApiToken>> => {
    if (typeof id !== 'string' || !UUID.test(id)) return fail('not_found', 'There is no API token with this id.');
    return revokeToken(await getAppContext(), actor, id.toLowerCase());
  },
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
