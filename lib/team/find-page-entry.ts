import type { Role } from '#lib/reflection/role.ts';
import { PAGES } from './pages.ts';

/** A page as an entry; `open`: also for who has not signed in. */
export type PageEntry = { name: string; path: string; role: Role; open: boolean };

/** The page that answers on a path; null where none does. Segments that stand as they are go before named ones. */
export function findPageEntry(pathname: string): PageEntry | null {
  const segments = split(pathname);
  const found = LISTED.find(({ pattern }) => matches(pattern, segments));
  return found?.entry ?? null;
}

const LISTED = Object.entries(PAGES)
  .map(([path, from]) => {
    const open = from === 'anyone';
    return {
      entry: { name: `page ${path}`, path, role: open ? ('viewer' as const) : from, open },
      pattern: split(path),
    };
  })
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
