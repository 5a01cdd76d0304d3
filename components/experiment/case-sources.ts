/** Case sources of a start: a typed input, pasted text or a file, or a dataset. */
export const CASE_SOURCES = ['text', 'import', 'dataset'] as const;
export type CaseSource = (typeof CASE_SOURCES)[number];

/** Returns the source named in a URL. Null if it is unknown. */
export function caseSourceOf(value: string | null): CaseSource | null {
  return CASE_SOURCES.find((source) => source === value) ?? null;
}
