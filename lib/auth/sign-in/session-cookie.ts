/** The name of the cookie that holds a session, and the one it had before; null where it is the same. */
type SessionCookie = { name: string; formerName: string | null };

/** Begins the token of every session made since cookies have the prefix `__Host-`. */
export const HOST_TOKEN_PREFIX = 'h_';

const NAME = 'hone.session_token';

/** By https the browser takes care that no other site, not even one of a neighbouring host name, can set the cookie. */
export function sessionCookieNames(appUrl: string): SessionCookie {
  const isSecure = appUrl.startsWith('https:');
  return isSecure ? { name: `__Host-${NAME}`, formerName: `__Secure-${NAME}` } : { name: NAME, formerName: null };
}

/**
 * The session's cookie of a request, under its present name, as a `Cookie` header of it alone; null where none came along. One
 * under the former name holds only for a session that is as old: a neighbouring site can set such a cookie too, and must not
 * bring somebody into a session of its own.
 */
export function sentSessionCookie(headers: Headers, { name, formerName }: SessionCookie): string | null {
  const cookies = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const read = (wanted: string | null) =>
    cookies.find((pair) => pair.startsWith(`${wanted}=`))?.slice(`${wanted}=`.length);
  const present = read(name);
  if (present !== undefined) return `${name}=${present}`;
  const former = formerName === null ? undefined : read(formerName);
  return former === undefined || former.startsWith(HOST_TOKEN_PREFIX) ? null : `${name}=${former}`;
}
