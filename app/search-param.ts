import { z } from 'zod';
import { cleanText } from '#lib/database/query-values.ts';

/** Query parameters of a page URL. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Returns a query parameter, cleaned for storage in the database. If it repeats, the first value. Null if missing or empty. */
export function searchParam(value: string | string[] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? null : cleanText(first);
}

/** Returns the id in a query parameter. Null if it is missing or not an id, which the database would refuse to compare. */
export function idParam(value: string | string[] | undefined): string | null {
  return z.guid().safeParse(searchParam(value)).data ?? null;
}

/** Returns the whole number in a query parameter. Null if it is missing, not a number, or too large for the database. */
export function numberParam(value: string | string[] | undefined): number | null {
  const text = searchParam(value) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Props of a page whose path contains an id. */
export type IdPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };
