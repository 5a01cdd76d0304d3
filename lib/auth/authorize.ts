import { headers } from 'next/headers';
import { findSessionActor } from '#lib/auth/sign-in/sessions.ts';
import { getSignInLibrary } from '#lib/auth/sign-in/sign-in-library.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { isFirstCount, noteActor, noteRefused } from '#lib/log/request-facts.ts';
import type { Actor, Entry, EntryKind } from './actor.ts';
import { AuthorizationError, refuseStranger } from './authorization-error.ts';
import { ADDRESS_HEADER } from './client-address.ts';
import { findTokenActor } from './find-token-actor.ts';
import { currentHostRules, findRefusal } from './host-rules.ts';
import { findLocalOwner } from './local-owner.ts';
import { PAGES, type PageRules } from './pages.ts';
import { currentRateLimits, tooManyRequests } from './rate-limits.ts';
import { recordRefusal } from './refusals.ts';
import { missingRole, roleAllows } from './role.ts';
import { PATH_HEADER } from './sign-in/sign-in-path.ts';
import { LINK_NEEDED } from './start-token.ts';
import { isTeamMode } from './team-mode.ts';
import { bearerToken } from './token-secret.ts';

/**
 * Says who is asking, or throws AuthorizationError. Every page, action, route and stream calls it first, with its own name. It does not rely on proxy.ts: it looks at Host, and for all that writes at Origin, itself.
 * In local mode whoever reaches the app by an allowed host is its one owner, where HONE_START_TOKEN is set only with the start token's
 * cookie; in team mode it is the member whose session's cookie comes
 * along; pages lead those without one to the sign-in, all else throws. Who sends a route an API token is held to that token's scopes;
 * with `token: 'needed'` nobody gets in without one.
 */
export async function authorize(entry: Entry): Promise<Actor> {
  const { name } = entry;
  const kind = kindOf(name);
  const limit = entry.limit ?? null;
  const { sent, address } = await enter(name);
  const token = kind === 'route' ? bearerToken(sent.get('authorization')) : null;
  if (token !== null) {
    const actor = await findTokenActor(getAppDatabase(), token, entry, { now: new Date(), address }).catch(
      (error: unknown) => {
        // Each wrong token costs a look into the database.
        if (error instanceof AuthorizationError) refuseTooMany(() => currentRateLimits().takeOfStranger(address));
        throw error;
      },
    );
    noteActor(actor.id);
    refuseTooMany(() => currentRateLimits().takeOfPerson(limit, actor));
    return { ...actor, entry: name, address };
  }
  if (entry.token === 'needed')
    throw new AuthorizationError(
      401,
      'This needs an API token: send it as "Authorization: Bearer hone_…". Create one under Settings.',
    );
  const actor = isTeamMode() ? await findSessionActor(getSignInLibrary(), sent) : findLocalOwner(sent);
  if (actor === null) {
    refuseTooMany(() => currentRateLimits().takeOfStranger(address));
    noteRefused(401);
    if (!isTeamMode()) throw new AuthorizationError(401, LINK_NEEDED);
    return refuseStranger(kind, sent.get(PATH_HEADER));
  }
  noteActor(actor.id);
  refuseTooMany(() => currentRateLimits().takeOfPerson(limit, actor));
  const acting = { ...actor, entry: name, address };
  if (roleAllows(actor.role, entry.role)) return acting;
  await recordRefusal(getAppDatabase(), acting, entry.role);
  noteRefused(403);
  throw new AuthorizationError(403, missingRole(entry.role, actor.role), { needed: entry.role, held: actor.role });
}

/** As `authorize`, for a page by the rules that it has in the list of pages. */
export function authorizePage(path: keyof typeof PAGES): Promise<Actor> {
  const rules: PageRules = PAGES[path];
  return authorize({ name: `page ${path}`, role: rules.role, limit: rules.limit ?? null });
}

/**
 * For the few entries that are open to whoever reaches the app, such as the sign-in: looks at Host and Origin, and says who is asking
 * where that can be told; null for strangers.
 */
export async function admitAnyone({ name }: { name: string }): Promise<{ actor: Actor | null; address: string }> {
  const { sent, address } = await enter(name);
  const found = isTeamMode() ? await findSessionActor(getSignInLibrary(), sent) : findLocalOwner(sent);
  // Actions answer themselves, in the form they were sent by.
  if (kindOf(name) !== 'action')
    refuseTooMany(() =>
      found === null ? currentRateLimits().takeOfStranger(address) : currentRateLimits().takeOfPerson(null, found),
    );
  return { actor: found && { ...found, entry: name, address }, address };
}

async function enter(name: string): Promise<{ sent: Headers; address: string }> {
  const sent = await headers();
  const refusal = findRefusal({ headers: sent, writes: doesWrite(name) }, currentHostRules());
  if (refusal !== null) {
    noteRefused(403);
    throw new AuthorizationError(403, refusal);
  }
  return { sent, address: sent.get(ADDRESS_HEADER) ?? 'unknown' };
}

/** Counts a request once; throws AuthorizationError where `take` answers after how many seconds there is room for it. */
function refuseTooMany(take: () => number | null): void {
  const seconds = isFirstCount() ? take() : null;
  if (seconds === null) return;
  noteRefused(429, seconds);
  throw new AuthorizationError(429, tooManyRequests(seconds).problem.message, null, seconds);
}

function kindOf(name: string): EntryKind {
  if (name.startsWith('page ')) return 'page';
  return name.startsWith('action ') ? 'action' : 'route';
}

function doesWrite(name: string): boolean {
  return !/^(page|GET) /.test(name);
}
