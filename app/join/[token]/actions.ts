'use server';

import { redirect } from 'next/navigation';
import { defineOpenAction } from '#lib/auth/define-action.ts';
import { joinByLink as join } from '#lib/auth/join-by-link.ts';
import { deleteSession } from '#lib/auth/members.ts';
import { isTeamMode } from '#lib/auth/mode.ts';
import { saveCookies, signInContext } from '#lib/auth/sign-in/sign-in-context.ts';
import type { Problem } from '#lib/core/problem.ts';

/** Redeems a link: creates a member or sets a new password, signs in and redirects to the home page. Otherwise returns all errors. */
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
    const { context, source } = await signInContext('action joinByLinkAction', address);
    const input = { name: form.get('name'), email: form.get('email'), password: form.get('password') };
    const result = await join(context, token, input, source);
    if (!result.ok) return [result.problem, ...result.others];
    if (actor?.sessionId) await deleteSession(context.database.prisma, { id: actor.sessionId });
    await saveCookies(result.value.setCookies);
    redirect('/');
  },
);
