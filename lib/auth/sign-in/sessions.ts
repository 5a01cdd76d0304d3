import { isAPIError } from 'better-auth/api';
import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { ROLES } from '#lib/auth/role.ts';
import { sentSessionCookie } from './session-cookie.ts';
import type { SignInLibrary } from './sign-in-library.ts';

/** A member as the sign-in library answers one: its types know nothing of our own fields. */
export const libraryMember = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  disabledAt: z.date().nullish(),
  lastSeenAt: z.date().nullish(),
});

/** A member in a browser; `sessionId` names the session it holds. */
type SessionActor = Actor & { memberId: string; sessionId: string };

/**
 * The member whose session cookie came with a request; null where there is none, it has ended or was revoked, or the member is
 * disabled. A session in use is moved on, at most once a minute, but never beyond the days after its sign-in that all end by.
 */
export async function findSessionActor(library: SignInLibrary, headers: Headers): Promise<SessionActor | null> {
  const cookie = sentSessionCookie(headers, library.cookie);
  if (cookie === null) return null;
  // Its own checks of what a request asks for are by other headers than the cookie, so it is given nothing else.
  const found = await library.api.getSession({ headers: new Headers({ cookie }) }).catch(nullWhereRevoked);
  if (found === null) return null;
  const { session } = found;
  if (Date.now() - session.createdAt.getTime() >= library.longestSessionMs) {
    const { internalAdapter } = await library.$context;
    await internalAdapter.deleteSession(session.token);
    return null;
  }
  const { id, name, role, disabledAt } = libraryMember.parse(found.user);
  if (disabledAt) return null;
  return { id, name, role, memberId: id, sessionId: session.id };
}

/** Revoked in the moment in which it was to be moved on. */
function nullWhereRevoked(error: unknown): null {
  if (isAPIError(error) && error.statusCode === 401) return null;
  throw error;
}
