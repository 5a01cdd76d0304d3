import { ENTRIES } from './entries.ts';

/**
 * Which of Hone's ways in a path is, as the list of entries writes it (`/runs/{id}`): no ids, and not more of them than there are ways.
 * What belongs to none is `/_next` for the parts of pages, else `other`.
 */
export function routePattern(path: string): string {
  if (path === '/_next' || path.startsWith('/_next/')) return '/_next';
  const parts = path.split('/').slice(1);
  return known().find((pattern) => matches(pattern, parts))?.pattern ?? 'other';
}

type Pattern = { pattern: string; parts: string[] };

let patterns: Pattern[] | null = null;

/** The most exact first: `/runs/import` before `/runs/{id}`, a rest last. */
function known(): Pattern[] {
  patterns ??= [...new Set(ENTRIES.flatMap(({ path }) => path ?? []))]
    .map((pattern) => ({ pattern, parts: pattern.split('/').slice(1) }))
    .sort((one, other) => looseness(one) - looseness(other));
  return patterns;
}

function looseness({ parts }: Pattern): number {
  return parts.filter(isOpen).length + (parts.includes('{rest}') ? 100 : 0);
}

function matches({ parts }: Pattern, given: string[]): boolean {
  if (parts.at(-1) === '{rest}') return parts.slice(0, -1).every((part, at) => part === given[at]);
  return parts.length === given.length && parts.every((part, at) => isOpen(part) || part === given[at]);
}

function isOpen(part: string): boolean {
  return part.startsWith('{');
}
