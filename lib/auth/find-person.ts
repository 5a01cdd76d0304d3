import { headers } from 'next/headers';
import type { Actor } from './actor.ts';
import { findLocalOwner, isTeamMode } from './mode.ts';

/**
 * Returns the current person for the layout around all pages, or null if nobody is signed in. It grants no access: every page calls
 * `authorize`.
 */
export async function findPerson(): Promise<Actor | null> {
  return findSender(await headers());
}

/**
 * Returns the person who sent a request without an API token: the member of its session cookie, or the owner in local mode. Null if nobody
 * is signed in.
 */
export async function findSender(sent: Headers): Promise<Actor | null> {
  if (!isTeamMode()) return findLocalOwner(sent);
  // Loaded lazily, because the sign-in library has 200 modules and local mode does not need it.
  const { findSessionActor } = await import('./sign-in/sessions.ts');
  const { getSignInLibrary } = await import('./sign-in/sign-in-library.ts');
  return findSessionActor(getSignInLibrary(), sent);
}
