import { z } from 'zod';

/** Returns the schema of a time in a request. PostgreSQL has no year 0. */
export function timeInput(error: string) {
  return z.iso.datetime({ error }).refine((text) => !text.startsWith('0000'), { error: 'must be after the year 0' });
}

/** Returns the schema of a time that is stored. Earlier times have no page cursor, and later ones no four-digit year. */
export function storedTime(error: string, options: { offset?: boolean } = {}) {
  return z.iso.datetime({ error, ...options }).refine(isStorableTime, { error: 'must be a time from 1970 to 9999' });
}

function isStorableTime(text: string): boolean {
  const at = Date.parse(text);
  return at >= 0 && at < Date.UTC(10_000, 0);
}
