import { type Role, roleAllows } from '#lib/reflection/role.ts';
import { getAppDatabase } from '#lib/start/app-database.ts';
import { ADDRESS_HEADER } from './client-address.ts';
import { findPageEntry } from './find-page-entry.ts';
import { PREFETCH_HEADER } from './is-prefetch.ts';
import { noteRefusal } from './note-refusal.ts';
import { findSessionActor } from './sign-in/find-session-actor.ts';
import { getSignInLibrary } from './sign-in/get-sign-in-library.ts';
import { signInPath } from './sign-in/sign-in-path.ts';
import { isTeamMode } from './team-mode.ts';

/** Whether a page may be shown; where not, the address to lead to, or the role that is missing. */
export type Admission = { kind: 'shown' } | { kind: 'sign_in'; path: string } | { kind: 'refused'; needed: Role };

/**
 * Looks, in team mode, whether the member whose request this is may see the page it asks for, before any of it is sent: from then on
 * its status could not be told any more. The page looks again itself. What a browser only fetches
 * ahead of time is refused too, but not noted: nobody asked for it. `path`: with its query.
 */
export async function admitToPage(headers: Headers, path: string): Promise<Admission> {
  const entry = isTeamMode() ? findPageEntry(path.replace(/\?.*$/s, '')) : null;
  if (entry === null || entry.open) return { kind: 'shown' };
  const actor = await findSessionActor(getSignInLibrary(), headers);
  if (actor === null) return { kind: 'sign_in', path: signInPath(path) };
  if (roleAllows(actor.role, entry.role)) return { kind: 'shown' };
  const address = headers.get(ADDRESS_HEADER) ?? 'unknown';
  if (!headers.has(PREFETCH_HEADER))
    await noteRefusal(getAppDatabase(), { ...actor, entry: entry.name, address }, entry.role);
  return { kind: 'refused', needed: entry.role };
}
