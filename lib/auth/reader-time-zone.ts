/** The cookie in which a browser says its time zone, for texts that the server writes. */
export const TIME_ZONE_COOKIE = 'hone-time-zone';

/** The time zone that a cookie names; null where it names none. */
export function readTimeZone(cookie: string | undefined): string | null {
  if (cookie === undefined) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: cookie }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
