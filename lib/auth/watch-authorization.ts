import { headers } from 'next/headers';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { Entry } from './authorize.ts';
import { findTokenActor } from './find-token-actor.ts';
import { findLocalOwner } from './local-owner.ts';
import { roleAllows } from './role.ts';
import { findSessionActor } from './sign-in/find-session-actor.ts';
import { getSignInLibrary } from './sign-in/get-sign-in-library.ts';
import { isTeamMode } from './team-mode.ts';
import { bearerToken } from './token-secret.ts';
import { watchWhile } from './watch-while.ts';

const STEP_MS = 30_000;

/**
 * For streams, which `authorize` let begin: calls `end` once when whoever it is may have it no more, since their session or token ended
 * or their role changed; looks every 30 s. Answers how to stop looking.
 */
export async function watchAuthorization(entry: Entry, end: () => void): Promise<() => void> {
  const sent = new Headers(await headers());
  return watchWhile(() => mayStill(entry, sent), end, STEP_MS);
}

async function mayStill(entry: Entry, sent: Headers): Promise<boolean> {
  const token = bearerToken(sent.get('authorization'));
  if (token === null) {
    const actor = isTeamMode() ? await findSessionActor(getSignInLibrary(), sent) : findLocalOwner(sent);
    return actor !== null && roleAllows(actor.role, entry.role);
  }
  try {
    await findTokenActor(getAppDatabase(), token, entry, { now: new Date(), address: 'stream' });
    return true;
  } catch (error) {
    if (error instanceof AuthorizationError) return false;
    throw error;
  }
}
