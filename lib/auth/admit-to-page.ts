import { findSessionActor } from '#lib/auth/sign-in/sessions.ts';
import { getSignInLibrary } from '#lib/auth/sign-in/sign-in-library.ts';
import { ADDRESS_HEADER } from './client-address.ts';
import { findPageEntry } from './find-page-entry.ts';
import { PAGE_REQUEST_HEADER, PAGE_REQUEST_KINDS } from './page-request-kind.ts';
import { currentRateLimits } from './rate-limits.ts';
import { recordPageRefusal } from './refusals.ts';
import { type Role, roleAllows } from './role.ts';
import { signInPath } from './sign-in/sign-in-path.ts';
import { isTeamMode } from './team-mode.ts';

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
