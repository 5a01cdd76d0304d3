import { parseEnvironment } from '#lib/environment.ts';
import type { Role } from './role.ts';
import { ADMITTED_HEADER } from './start-token.ts';

/** What team mode must be started with. `secret`: at least 32 characters; `appUrl`: where people reach Hone; `sessionDays`: days from the sign-in to the end of its session. */
export type TeamSettings = { secret: string; appUrl: string; sessionDays: number };

let settings: TeamSettings | null | undefined;

/** Whether people sign in here; in local mode there is one owner and nobody does. */
export function isTeamMode(): boolean {
  return teamSettings() !== null;
}

/** Read once; null in local mode. Throws where the environment is wrong: the start refuses that first. */
export function teamSettings(): TeamSettings | null {
  if (settings !== undefined) return settings;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  const { mode, secret, appUrl, sessionDays } = environment.value;
  settings = mode === 'team' && secret !== null && appUrl !== null ? { secret, appUrl, sessionDays } : null;
  return settings;
}

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
