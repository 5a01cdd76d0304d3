/** Returns the previous or next entry of a list. Null at either end. Returns the first entry if `from` is not listed. */
export function findAdjacentEntry(ids: readonly string[], from: string | null, step: 1 | -1): string | null {
  const index = from === null ? -1 : ids.indexOf(from);
  return ids[index === -1 ? 0 : index + step] ?? null;
}
