/** Cookie with the browser's time zone, for texts written by the server. */
export const TIME_ZONE_COOKIE = 'hone-time-zone';

/** Returns the time zone in a cookie, or null if invalid. */
export function readTimeZone(cookie: string | undefined): string | null {
  if (cookie === undefined) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: cookie }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
