import { findSessionActor } from '#lib/auth/sign-in/sessions.ts';
import { getSignInLibrary } from '#lib/auth/sign-in/sign-in-library.ts';
import type { RateName } from '#lib/environment.ts';
import { createRouter } from '#lib/input/find-route.ts';
import { ADDRESS_HEADER } from './client-address.ts';
import { isTeamMode } from './mode.ts';
import { PAGE_REQUEST_HEADER, PAGE_REQUEST_KINDS } from './page-request-kind.ts';
import { PAGES, type PageRules } from './pages.ts';
import { currentRateLimits } from './rate-limits.ts';
import { recordPageRefusal } from './refusals.ts';
import { type Role, roleAllows } from './role.ts';
import { signInPath } from './sign-in/sign-in-path.ts';

/** A page as an entry point. `isOpen`: unauthenticated callers are allowed. */
type PageEntry = { name: string; path: string; role: Role; limit: RateName | null; isOpen: boolean };

const findPage = createRouter(
  Object.entries<PageRules>(PAGES).map(([path, { role, limit = null, isOpen = false }]): PageEntry => {
    return { name: `page ${path}`, path, role, limit, isOpen };
  }),
);

/** Returns the page for a path, or null if none matches. Empty segments are ignored. */
export function findPageEntry(pathname: string): PageEntry | null {
  const segments = pathname.split('/').filter((part) => part !== '');
  return findPage(`/${segments.join('/')}`)?.items[0] ?? null;
}

/** Result of the access check: the page may be shown, the caller must sign in, or a role is missing. */
export type Admission = { kind: 'shown' } | { kind: 'sign_in'; path: string } | { kind: 'refused'; needed: Role };

/**
 * Checks, in team mode, if the member may see the requested page before anything is sent, because the status cannot change afterwards. The
 * page checks again. Prefetches are also refused and recorded, because anyone can send those headers. `path`: includes the query.
 */
export async function admitToPage(headers: Headers, path: string): Promise<Admission> {
  const entry = isTeamMode() ? findPageEntry(path.replace(/\?.*$/s, '')) : null;
  if (entry === null || entry.isOpen) return { kind: 'shown' };
  const actor = await findSessionActor(getSignInLibrary(), headers);
  if (actor === null) return { kind: 'sign_in', path: signInPath(path) };
  if (roleAllows(actor.role, entry.role)) return { kind: 'shown' };
  const address = headers.get(ADDRESS_HEADER) ?? 'unknown';
  const kind = PAGE_REQUEST_KINDS.find((one) => one === headers.get(PAGE_REQUEST_HEADER)) ?? 'document';
  // Rate limited, because each refusal adds an audit log entry.
  if (currentRateLimits().takeOfPerson(entry.limit, actor) === null)
    await recordPageRefusal({ ...actor, entry: entry.name, address }, entry.role, kind);
  return { kind: 'refused', needed: entry.role };
}
