/** Where the cases of a start come from: a typed input, a pasted text or file, or a dataset. */
export const CASE_SOURCES = ['text', 'import', 'dataset'] as const;
export type CaseSource = (typeof CASE_SOURCES)[number];

/** The source that an address asks for; null where it names none. */
export function caseSourceOf(asked: string | null): CaseSource | null {
  return CASE_SOURCES.find((source) => source === asked) ?? null;
}
