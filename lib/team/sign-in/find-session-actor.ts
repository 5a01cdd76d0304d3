import { isAPIError } from 'better-auth/api';
import type { Actor } from '../authorize.ts';
import { libraryMember } from './library-member.ts';
import type { SignInLibrary } from './sign-in-library.ts';

/** A member in a browser; `sessionId` names the session it holds. */
export type SessionActor = Actor & { memberId: string; sessionId: string };

/**
 * The member whose session cookie came with a request; null where there is none, it has ended or was revoked, or the member is
 * disabled. A session in use is moved on, at most once a minute.
 */
export async function findSessionActor(
  library: Pick<SignInLibrary, 'api'>,
  headers: Headers,
): Promise<SessionActor | null> {
  if (!headers.get('cookie')?.includes('session_token=')) return null;
  // Its own checks of what a request asks for are by other headers than the cookie, so it is given nothing else.
  const sent = new Headers({ cookie: headers.get('cookie') ?? '' });
  const found = await library.api.getSession({ headers: sent }).catch(nullWhereRevoked);
  if (found === null) return null;
  const { id, name, role, disabledAt } = libraryMember.parse(found.user);
  if (disabledAt) return null;
  return { id, name, role, memberId: id, sessionId: found.session.id };
}

/** Revoked in the moment in which it was to be moved on. */
function nullWhereRevoked(error: unknown): null {
  if (isAPIError(error) && error.statusCode === 401) return null;
  throw error;
}
