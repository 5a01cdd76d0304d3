import type { RateName } from '#lib/environment.ts';
import { PAGES, type PageRules } from './pages.ts';
import type { Role } from './role.ts';

/** A page as an entry; `isOpen`: also for who has not signed in. */
export type PageEntry = { name: string; path: string; role: Role; limit: RateName | null; isOpen: boolean };

/** The page that answers on a path; null where none does. Segments that stand as they are go before named ones. */
export function findPageEntry(pathname: string): PageEntry | null {
  const segments = split(pathname);
  return LISTED.find(({ pattern }) => matches(pattern, segments))?.entry ?? null;
}

const LISTED = Object.entries<PageRules>(PAGES)
  .map(([path, { role, limit = null, isOpen = false }]) => ({
    entry: { name: `page ${path}`, path, role, limit, isOpen },
    pattern: split(path),
  }))
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
