import { headers } from 'next/headers';
import { findSessionActor } from '#lib/auth/sign-in/sessions.ts';
import { getSignInLibrary } from '#lib/auth/sign-in/sign-in-library.ts';
import type { Actor } from './actor.ts';
import { findLocalOwner } from './local-owner.ts';
import { isTeamMode } from './team-mode.ts';

/**
 * Returns the current person for the layout around all pages, or null if nobody is signed in. It grants no access: every page calls
 * `authorize`.
 */
export async function findPerson(): Promise<Actor | null> {
  const sent = await headers();
  return isTeamMode() ? findSessionActor(getSignInLibrary(), sent) : findLocalOwner(sent);
}
