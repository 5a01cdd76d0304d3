import { ENTRIES, type Entry } from './entries.ts';

/** The page that answers on a path, in the list of entries; null where none does. Segments that stand as they are go before named ones. */
export function findPageEntry(pathname: string): Entry | null {
  const segments = split(pathname);
  const found = PAGES.filter(({ pattern }) => matches(pattern, segments));
  return found[0]?.entry ?? null;
}

const PAGES = ENTRIES.filter(({ kind, exported }) => kind === 'page' && exported === 'default')
  .map((entry) => ({ entry, pattern: split(entry.path ?? '') }))
  .toSorted((a, b) => named(a.pattern) - named(b.pattern));

function matches(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => part === segments[at] || (isNamed(part) && segments[at] !== ''))
  );
}

function named(pattern: string[]): number {
  return pattern.filter(isNamed).length;
}

function isNamed(part: string): boolean {
  return part.startsWith('{');
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
