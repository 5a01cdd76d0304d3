import { cleanText } from '#lib/database/query-values.ts';

/** What stands after the question mark of a page's address. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** One value of a search parameter, as the database can hold it: the first where there are several, null where there is none. */
export function searchParam(value: string | string[] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? null : cleanText(first);
}
