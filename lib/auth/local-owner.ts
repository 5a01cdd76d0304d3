import { parseEnvironment } from '#lib/environment.ts';
import type { Role } from './role.ts';
import { ADMITTED_HEADER } from './start-token.ts';

/** The one person of an installation in local mode. */
export const LOCAL_OWNER: { id: string; name: string; role: Role } = { id: 'local', name: 'you', role: 'owner' };

/** Whether somebody is the one person there is: nobody else could look at their work. */
export function isLocalOwner({ id }: { id: string }): boolean {
  return id === LOCAL_OWNER.id;
}

/** Whose request it is in local mode: the owner's, or, where a start token is asked for, null for whoever came without it. */
export function findLocalOwner(sent: Headers): typeof LOCAL_OWNER | null {
  return !needsStartToken() || sent.get(ADMITTED_HEADER) === '1' ? LOCAL_OWNER : null;
}

let needed: boolean | undefined;

/** Read once. Throws where the environment is wrong: the start refuses that first. */
function needsStartToken(): boolean {
  if (needed !== undefined) return needed;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  needed = environment.value.startToken;
  return needed;
}
