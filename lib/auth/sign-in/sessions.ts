import { isAPIError } from 'better-auth/api';
import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { ROLES } from '#lib/auth/role.ts';
import { sentSessionCookie } from './session-cookie.ts';
import type { SignInLibrary } from './sign-in-library.ts';

/** A member as returned by the sign-in library, whose types lack our own fields. */
export const libraryMember = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  disabledAt: z.date().nullish(),
  lastSeenAt: z.date().nullish(),
});

/** A signed-in member. `sessionId` identifies the session. */
type SessionActor = Actor & { memberId: string; sessionId: string };

/**
 * Returns the member for the session cookie of a request. Null if it is missing, expired or revoked, or if the member is disabled. Extends
 * an active session at most once a minute, up to the maximum lifetime since the sign-in.
 */
export async function findSessionActor(library: SignInLibrary, headers: Headers): Promise<SessionActor | null> {
  const cookie = sentSessionCookie(headers, library.cookie);
  if (cookie === null) return null;
  // The library applies its own request checks based on other headers, so only the cookie is passed.
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

/** Returns null if the session was revoked while it was being extended. */
function nullWhereRevoked(error: unknown): null {
  if (isAPIError(error) && error.statusCode === 401) return null;
  throw error;
}
