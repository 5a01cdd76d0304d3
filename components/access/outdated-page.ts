const NAMES = new Set(['UnrecognizedActionError', 'ChunkLoadError']);

/** Message shown if the page belongs to an earlier version of Hone, whose actions and scripts no longer exist. */
export const OUTDATED_PAGE = 'Hone was updated after you opened this page.';

/** Returns true for an error of a page that was loaded from an earlier version of Hone. */
export function isOutdatedPage(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}
