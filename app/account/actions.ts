'use server';

import { headers } from 'next/headers';
import type { ApiToken } from '#lib/auth/api-token.ts';
import { defineAction } from '#lib/auth/define-action.ts';
import { changeOwnPassword } from '#lib/auth/sign-in/change-own-password.ts';
import { saveCookies } from '#lib/auth/sign-in/sign-in-context.ts';
import { getSignInLibrary } from '#lib/auth/sign-in/sign-in-library.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { refuseWithoutSignIn, renameSelf } from '#lib/team/own-account.ts';
import { createToken, type MadeToken, revokeToken } from '#lib/team/tokens.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Renames the signed-in member. */
export const renameMeAction = defineAction(
  'renameMeAction',
  { role: 'viewer', audit: 'changed' },
  async (actor, input: unknown) => renameSelf(await getAppContext(), actor, input),
);

/** Changes the signed-in member's password. Ends all their other sessions and starts a new session in this browser. */
export const changeMyPasswordAction = defineAction(
  'changeMyPasswordAction',
  { role: 'viewer', limit: 'password', audit: 'changed_password' },
  async (actor, input: unknown): Promise<Result<null>> => {
    const { memberId } = actor;
    if (memberId === undefined) return refuseWithoutSignIn();
    const context = { database: getAppDatabase(), library: getSignInLibrary() };
    const source = { headers: await headers(), now: new Date() };
    const result = await changeOwnPassword(context, { ...actor, memberId }, input, source);
    if (!result.ok) return result;
    await saveCookies(result.value.setCookies);
    return succeed(null);
  },
);

/** Creates an API token for the signed-in member. The token is returned only once. */
export const makeMyTokenAction = defineAction(
  'makeMyTokenAction',
  { role: 'viewer', limit: 'password', audit: 'created' },
  async (actor, input: unknown): Promise<Result<MadeToken>> => {
    if (actor.memberId === undefined) return refuseWithoutSignIn();
    return createToken(await getAppContext(), actor, input);
  },
);

/** Revokes an API token of the signed-in member. */
export const revokeMyTokenAction = defineAction(
  'revokeMyTokenAction',
  { role: 'viewer', id: 'token', audit: 'revoked' },
  async (actor, id: string): Promise<Result<ApiToken>> => {
    if (actor.memberId === undefined) return refuseWithoutSignIn();
    if (!UUID.test(String(id))) return fail('not_found', 'There is no API token with this id.');
    return revokeToken(await getAppContext(), actor, id);
  },
);
