import { headers } from 'next/headers';
import type { Actor } from './authorize.ts';
import { findLocalOwner } from './local-owner.ts';
import { findSessionActor } from './sign-in/find-session-actor.ts';
import { getSignInLibrary } from './sign-in/get-sign-in-library.ts';
import { isTeamMode } from './team-mode.ts';

/** Who looks, for the frame around all pages; null where nobody is signed in. It lets nobody in: every page calls `authorize`. */
export async function findPerson(): Promise<Actor | null> {
  const sent = await headers();
  return isTeamMode() ? findSessionActor(getSignInLibrary(), sent) : findLocalOwner(sent);
}
