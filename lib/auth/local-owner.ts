import { parseEnvironment } from '#lib/environment.ts';
import type { Role } from './role.ts';
import { ADMITTED_HEADER } from './start-token.ts';

/** The only person of an installation in local mode. */
export const LOCAL_OWNER: { id: string; name: string; role: Role } = { id: 'local', name: 'you', role: 'owner' };

/** True for the only person in local mode, whose work nobody else can review. */
export function isLocalOwner({ id }: { id: string }): boolean {
  return id === LOCAL_OWNER.id;
}

/** Returns the owner for a request in local mode. Null if a start token is required and missing. */
export function findLocalOwner(sent: Headers): typeof LOCAL_OWNER | null {
  return !needsStartToken() || sent.get(ADMITTED_HEADER) === '1' ? LOCAL_OWNER : null;
}

let needed: boolean | undefined;

/** Parsed once. Throws if the environment is invalid, but startup rejects that first. */
function needsStartToken(): boolean {
  if (needed !== undefined) return needed;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  needed = environment.value.startToken;
  return needed;
}
