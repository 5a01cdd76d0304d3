'use server';

import { redirect } from 'next/navigation';
import type { Problem } from '#lib/reflection/problem.ts';
import { defineOpenAction } from '#lib/team/define-action.ts';
import { joinByLink as join } from '#lib/team/links/join-by-link.ts';
import { endSession } from '#lib/team/sign-in/end-session.ts';
import { keepCookies } from '#lib/team/sign-in/keep-cookies.ts';
import { signInDoor } from '#lib/team/sign-in/sign-in-door.ts';
import { isTeamMode } from '#lib/team/team-mode.ts';

/** Uses a link up: makes a member or sets a new password, signs in and leads to the first page; answers all that is wrong else. */
export const joinByLinkAction = defineOpenAction(
  'joinByLinkAction',
  { audit: ['joined', 'changed_password'] },
  async (
    { actor, address },
    token: string,
    _before: readonly Problem[],
    form: FormData,
  ): Promise<readonly Problem[]> => {
    if (!isTeamMode()) redirect('/');
    const { door, source } = await signInDoor('action joinByLinkAction', address);
    const given = { name: form.get('name'), email: form.get('email'), password: form.get('password') };
    const result = await join(door, token, given, source);
    if (!result.ok) return [result.problem, ...result.others];
    if (actor?.sessionId) await endSession(door.database, actor.sessionId);
    await keepCookies(result.value.setCookies);
    redirect('/');
  },
);
