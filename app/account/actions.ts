'use server';

import { revalidatePath } from 'next/cache';
import { headers } from 'next/headers';
import type { ApiToken } from '#lib/auth/api-token.ts';
import { defineAction } from '#lib/auth/define-action.ts';
import { changeOwnPassword } from '#lib/auth/sign-in/change-own-password.ts';
import { saveCookies } from '#lib/auth/sign-in/sign-in-context.ts';
import { getSignInLibrary } from '#lib/auth/sign-in/sign-in-library.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { refuseWithoutSignIn, renameSelf, revokeOtherSessions, revokeOwnSession } from '#lib/team/own-account.ts';
import { createToken, type MadeToken, revokeToken } from '#lib/team/tokens.ts';
import { refreshPages } from '../refresh-pages.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Renames the signed-in member. */
export const renameMeAction = defineAction(
  'renameMeAction',
  { role: 'viewer', audit: 'changed' },
  async (actor, input: unknown): Promise<Result<{ name: string }>> =>
    refreshPages(await renameSelf(await getAppContext(), actor, input)),
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
    revalidatePath('/account');
    return succeed(null);
  },
);

/** Ends one session of the signed-in member. */
export const endMySessionAction = defineAction(
  'endMySessionAction',
  { role: 'viewer', id: 'session', audit: 'revoked' },
  async (actor, id: string): Promise<Result<{ ended: number }>> => {
    const result = await revokeOwnSession(await getAppContext(), actor, id);
    if (result.ok) revalidatePath('/account');
    return result;
  },
);

/** Ends all sessions of the signed-in member except the current one. */
export const endMyOtherSessionsAction = defineAction(
  'endMyOtherSessionsAction',
  { role: 'viewer', audit: 'revoked' },
  async (actor): Promise<Result<{ ended: number }>> => {
    const result = await revokeOtherSessions(await getAppContext(), actor);
    if (result.ok) revalidatePath('/account');
    return result;
  },
);

/** Creates an API token for the signed-in member. The token is returned only once. */
export const makeMyTokenAction = defineAction(
  'makeMyTokenAction',
  { role: 'viewer', limit: 'password', audit: 'created' },
  async (actor, input: unknown): Promise<Result<MadeToken>> => {
    if (actor.memberId === undefined) return refuseWithoutSignIn();
    const result = await createToken(await getAppContext(), actor, input);
    if (result.ok) revalidatePath('/account');
    return result;
  },
);

/** Revokes an API token of the signed-in member. */
export const revokeMyTokenAction = defineAction(
  'revokeMyTokenAction',
  { role: 'viewer', id: 'token', audit: 'revoked' },
  async (actor, id: string): Promise<Result<ApiToken>> => {
    if (actor.memberId === undefined) return refuseWithoutSignIn();
    if (!UUID.test(String(id))) return fail('not_found', 'There is no API token with this id.');
    const result = await revokeToken(await getAppContext(), actor, id);
    if (result.ok) revalidatePath('/account');
    return result;
  },
);
