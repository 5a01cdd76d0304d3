/** Name of the session cookie, and its former name. Null if unchanged. */
type SessionCookie = { name: string; formerName: string | null };

/** Prefix of the tokens of all sessions created since cookies have the prefix `__Host-`. */
export const HOST_TOKEN_PREFIX = 'h_';

const NAME = 'hone.session_token';

/** With https, `__Host-` makes the browser reject cookies set by other sites, including those on sibling host names. */
export function sessionCookieNames(appUrl: string): SessionCookie {
  const isSecure = appUrl.startsWith('https:');
  return isSecure ? { name: `__Host-${NAME}`, formerName: `__Secure-${NAME}` } : { name: NAME, formerName: null };
}

/**
 * Returns the session cookie of a request as a `Cookie` header, under its current name. Null if missing. The former name is accepted only
 * for sessions from that time, because a sibling site can set such a cookie and must not sign users in to its own session.
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
