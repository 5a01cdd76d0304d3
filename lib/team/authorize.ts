import { headers } from 'next/headers';
import { AuthorizationError } from './authorization-error.ts';
import { currentDoors } from './current-doors.ts';
import { ENTRIES } from './entries.ts';
import { findRefusal } from './find-refusal.ts';
import { LOCAL_OWNER } from './local-owner.ts';
import { type Role, roleAllows } from './role.ts';

/** Who acts: stands in decisions and evaluations. */
export type Actor = { id: string; name: string; role: Role };

/**
 * Says who is asking, or throws AuthorizationError. Every page, action, route and stream calls it first, with its own name in
 * the list of entries. It does not rely on proxy.ts: it looks at Host, and for all that writes at Origin, itself.
 * In local mode whoever reaches the app by an allowed host is its one owner.
 */
export async function authorize(entry: { name: string; role: Role }): Promise<Actor> {
  const refusal = findRefusal({ headers: await headers(), writes: writes(entry.name) }, currentDoors());
  if (refusal !== null) throw new AuthorizationError(403, refusal);
  if (!roleAllows(LOCAL_OWNER.role, entry.role))
    throw new AuthorizationError(403, `This needs the role ${entry.role}.`);
  return LOCAL_OWNER;
}

function writes(name: string): boolean {
  const listed = ENTRIES.find((entry) => entry.name === name);
  if (listed === undefined)
    throw new Error(`${name} is not in the list of entries: run \`node lib/team/list-entries.mjs\`.`);
  return listed.writes;
}
