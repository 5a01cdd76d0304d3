import { headers } from 'next/headers';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { isFirstCount, setRequestActor, setRequestDenial } from '#lib/log/request-facts.ts';
import type { Actor, Entry, EntryKind } from './actor.ts';
import { bearerToken } from './api-tokens.ts';
import { AuthorizationError, rejectUnauthenticated } from './authorization-error.ts';
import { ADDRESS_HEADER } from './client-address.ts';
import { findSender } from './find-person.ts';
import { findTokenActor } from './find-token-actor.ts';
import { currentHostRules, findRefusal } from './host-rules.ts';
import { isTeamMode } from './mode.ts';
import { PAGES, type PageRules } from './pages.ts';
import { currentRateLimits, tooManyRequests } from './rate-limits.ts';
import { recordRefusal } from './refusals.ts';
import { missingRole, roleAllows } from './role.ts';
import { PATH_HEADER } from './sign-in/sign-in-path.ts';
import { LINK_NEEDED } from './start-token.ts';

/**
 * Returns the actor or throws AuthorizationError. Every page, action, route and stream calls it first with its own name.
 * It does not rely on proxy.ts: it checks Host, and Origin for all writes.
 * In local mode, a caller that uses an allowed host is the single owner. If HONE_START_TOKEN is set, the cookie of the start token is also
 * required.
 * In team mode, the actor is the member of the session cookie. Without one, pages redirect to the sign-in and everything else throws.
 * A route called with an API token is restricted to the token's scopes. With `token: 'needed'`, a token is required.
 */
export async function authorize(entry: Entry): Promise<Actor> {
  const { name } = entry;
  const kind = kindOf(name);
  const limit = entry.limit ?? null;
  const { sent, address } = await checkRequestSource(name);
  const token = kind === 'route' ? bearerToken(sent.get('authorization')) : null;
  if (token !== null) {
    const actor = await findTokenActor(getAppDatabase(), token, entry, { now: new Date(), address }).catch(
      (error: unknown) => {
        // Counted, because each wrong token costs a database query.
        if (error instanceof AuthorizationError) refuseTooMany(() => currentRateLimits().takeOfAnonymous(address));
        throw error;
      },
    );
    setRequestActor(actor.id);
    refuseTooMany(() => currentRateLimits().takeOfPerson(limit, actor));
    return { ...actor, entry: name, address };
  }
  if (entry.token === 'needed')
    throw new AuthorizationError(
      401,
      'This needs an API token: send it as "Authorization: Bearer hone_…". Create one under Settings.',
    );
  const actor = await findSender(sent);
  if (actor === null) {
    refuseTooMany(() => currentRateLimits().takeOfAnonymous(address));
    setRequestDenial(401);
    if (!isTeamMode()) throw new AuthorizationError(401, LINK_NEEDED);
    return rejectUnauthenticated(kind, sent.get(PATH_HEADER));
  }
  setRequestActor(actor.id);
  refuseTooMany(() => currentRateLimits().takeOfPerson(limit, actor));
  const acting = { ...actor, entry: name, address };
  if (roleAllows(actor.role, entry.role)) return acting;
  await recordRefusal(getAppDatabase(), acting, entry.role);
  setRequestDenial(403);
  throw new AuthorizationError(403, missingRole(entry.role, actor.role), { needed: entry.role, held: actor.role });
}

/** Like `authorize`, for a page with its rules from the list of pages. */
export function authorizePage(path: keyof typeof PAGES): Promise<Actor> {
  const rules: PageRules = PAGES[path];
  return authorize({ name: `page ${path}`, role: rules.role, limit: rules.limit ?? null });
}

/**
 * For the few entry points open to everyone, such as the sign-in. Checks Host and Origin and returns the actor if known, null for
 * unauthenticated callers.
 */
export async function admitAnyone({ name }: { name: string }): Promise<{ actor: Actor | null; address: string }> {
  const { sent, address } = await checkRequestSource(name);
  const found = await findSender(sent);
  // Actions return their own errors to the form that called them.
  if (kindOf(name) !== 'action')
    refuseTooMany(() =>
      found === null ? currentRateLimits().takeOfAnonymous(address) : currentRateLimits().takeOfPerson(null, found),
    );
  return { actor: found && { ...found, entry: name, address }, address };
}

async function checkRequestSource(name: string): Promise<{ sent: Headers; address: string }> {
  const sent = await headers();
  const refusal = findRefusal({ headers: sent, writes: doesWrite(name) }, currentHostRules());
  if (refusal !== null) {
    setRequestDenial(403);
    throw new AuthorizationError(403, refusal);
  }
  return { sent, address: sent.get(ADDRESS_HEADER) ?? 'unknown' };
}

/** Counts a request once. Throws AuthorizationError if `take` returns the seconds until it is allowed. */
function refuseTooMany(take: () => number | null): void {
  const seconds = isFirstCount() ? take() : null;
  if (seconds === null) return;
  setRequestDenial(429, seconds);
  throw new AuthorizationError(429, tooManyRequests(seconds).problem.message, null, seconds);
}

function kindOf(name: string): EntryKind {
  if (name.startsWith('page ')) return 'page';
  return name.startsWith('action ') ? 'action' : 'route';
}

function doesWrite(name: string): boolean {
  return !/^(page|GET) /.test(name);
}
