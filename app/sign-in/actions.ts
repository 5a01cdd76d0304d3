'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { defineAction, defineOpenAction } from '#lib/auth/define-action.ts';
import { deleteSession } from '#lib/auth/members.ts';
import { isTeamMode } from '#lib/auth/mode.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { sentSessionCookie } from '#lib/auth/sign-in/session-cookie.ts';
import { toSafePath } from '#lib/auth/sign-in/sign-in-path.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import type { Problem } from '#lib/core/problem.ts';

/** Signs in and redirects to the requested page, or returns the error. The form also works without JavaScript. */
export const signInAction = defineOpenAction(
  'signInAction',
  { audit: ['signed_in', 'sign_in_failed'] },
  async ({ actor, address }, _before: Problem | null, form: FormData): Promise<Problem | null> => {
    if (!isTeamMode()) redirect('/');
    const { saveCookies, signInByPassword, signInContext } = await loadSignIn();
    const { context, source } = await signInContext('action signInAction', address);
    const result = await signInByPassword(
      context,
      { email: form.get('email'), password: form.get('password') },
      source,
    );
    if (!result.ok) return result.problem;
    if (actor?.sessionId) await deleteSession(context.database.prisma, { id: actor.sessionId });
    await saveCookies(result.value.setCookies);
    const to = form.get('to');
    redirect(toSafePath(typeof to === 'string' ? to : null));
  },
);

/** Ends the session of this browser. Local mode has no sessions. */
export const signOutAction = defineAction(
  'signOutAction',
  { role: 'viewer', audit: 'signed_out' },
  async (actor): Promise<void> => {
    if (!isTeamMode()) redirect('/');
    const { getSignInLibrary, saveCookies } = await loadSignIn();
    const library = getSignInLibrary();
    const sent = new Headers({ cookie: sentSessionCookie(await headers(), library.cookie) ?? '' });
    const { headers: answered } = await library.api.signOut({ headers: sent, returnHeaders: true });
    await recordChange(getAppDatabase().prisma, actor, { act: 'signed_out', subject: { kind: 'session' } });
    await saveCookies(answered.getSetCookie());
    redirect('/sign-in');
  },
);

/** Loads the sign-in library, which every page would otherwise load with the layout's action. Local mode does not need it. */
async function loadSignIn() {
  const [byPassword, context, library] = await Promise.all([
    import('#lib/auth/sign-in/sign-in-by-password.ts'),
    import('#lib/auth/sign-in/sign-in-context.ts'),
    import('#lib/auth/sign-in/sign-in-library.ts'),
  ]);
  return { ...byPassword, ...context, ...library };
}
