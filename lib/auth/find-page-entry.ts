import { findSessionActor } from '#lib/auth/sign-in/sessions.ts';
import { getSignInLibrary } from '#lib/auth/sign-in/sign-in-library.ts';
import type { RateName } from '#lib/environment.ts';
import { ADDRESS_HEADER } from './client-address.ts';
import { PAGE_REQUEST_HEADER, PAGE_REQUEST_KINDS } from './page-request-kind.ts';
import { PAGES, type PageRules } from './pages.ts';
import { currentRateLimits } from './rate-limits.ts';
import { recordPageRefusal } from './refusals.ts';
import { type Role, roleAllows } from './role.ts';
import { signInPath } from './sign-in/sign-in-path.ts';
import { isTeamMode } from './team-mode.ts';

/** A page as an entry; `isOpen`: also for who has not signed in. */
type PageEntry = { name: string; path: string; role: Role; limit: RateName | null; isOpen: boolean };

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

/** Whether a page may be shown; where not, the address to lead to, or the role that is missing. */
export type Admission = { kind: 'shown' } | { kind: 'sign_in'; path: string } | { kind: 'refused'; needed: Role };

/**
 * Looks, in team mode, whether the member whose request this is may see the page it asks for, before any of it is sent: from then on
 * its status could not be told any more. The page looks again itself. What a browser only fetches ahead of time is refused and
 * noted too: whoever wants to look around unseen can send the same headers. `path`: with its query.
 */
export async function admitToPage(headers: Headers, path: string): Promise<Admission> {
  const entry = isTeamMode() ? findPageEntry(path.replace(/\?.*$/s, '')) : null;
  if (entry === null || entry.isOpen) return { kind: 'shown' };
  const actor = await findSessionActor(getSignInLibrary(), headers);
  if (actor === null) return { kind: 'sign_in', path: signInPath(path) };
  if (roleAllows(actor.role, entry.role)) return { kind: 'shown' };
  const address = headers.get(ADDRESS_HEADER) ?? 'unknown';
  const kind = PAGE_REQUEST_KINDS.find((one) => one === headers.get(PAGE_REQUEST_HEADER)) ?? 'document';
  // Each is a line in the audit log.
  if (currentRateLimits().takeOfPerson(entry.limit, actor) === null)
    await recordPageRefusal({ ...actor, entry: entry.name, address }, entry.role, kind);
  return { kind: 'refused', needed: entry.role };
}
