import { headers } from 'next/headers';
import type { TokenScope } from '#lib/reflection/api-token.ts';
import { getAppDatabase } from '#lib/start/app-database.ts';
import { AuthorizationError } from './authorization-error.ts';
import { currentDoors } from './current-doors.ts';
import { ENTRIES, type Entry } from './entries.ts';
import { findRefusal } from './find-refusal.ts';
import { findTokenActor } from './find-token-actor.ts';
import { LOCAL_OWNER } from './local-owner.ts';
import { type Role, roleAllows } from './role.ts';
import { bearerToken } from './token-secret.ts';

/** Who acts: stands in decisions and evaluations. `scopes`: of a program with an API token, what it may do; left out for people. */
export type Actor = { id: string; name: string; role: Role; scopes?: readonly TokenScope[] };

/**
 * Says who is asking, or throws AuthorizationError. Every page, action, route and stream calls it first, with its own name in
 * the list of entries. It does not rely on proxy.ts: it looks at Host, and for all that writes at Origin, itself.
 * In local mode whoever reaches the app by an allowed host is its one owner. Who sends a route an API token is held to that token's
 * scopes; with `token: 'needed'` nobody gets in without one.
 */
export async function authorize(entry: { name: string; role: Role; token?: 'needed' }): Promise<Actor> {
  const sent = await headers();
  const listed = findEntry(entry.name);
  const refusal = findRefusal({ headers: sent, writes: listed.writes }, currentDoors());
  if (refusal !== null) throw new AuthorizationError(403, refusal);
  const token = listed.kind === 'route' ? bearerToken(sent.get('authorization')) : null;
  if (token !== null) return findTokenActor(getAppDatabase(), token, listed, new Date());
  if (entry.token === 'needed')
    throw new AuthorizationError(
      401,
      'This needs an API token: send it as "Authorization: Bearer hone_…". Make one under Settings.',
    );
  if (!roleAllows(LOCAL_OWNER.role, entry.role))
    throw new AuthorizationError(403, `This needs the role ${entry.role}.`);
  return LOCAL_OWNER;
}

function findEntry(name: string): Entry {
  const listed = ENTRIES.find((entry) => entry.name === name);
  if (listed === undefined)
    throw new Error(`${name} is not in the list of entries: run \`node lib/team/list-entries.mjs\`.`);
  return listed;
}
