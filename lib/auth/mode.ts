import { type Environment, parseEnvironment } from '#lib/environment.ts';
import type { Role } from './role.ts';
import { ADMITTED_HEADER } from './start-token.ts';

/**
 * Settings required for team mode. `secret`: at least 32 characters. `appUrl`: the public URL. `sessionDays`: maximum lifetime of a session
 * since the sign-in.
 */
export type TeamSettings = { secret: string; appUrl: string; sessionDays: number };

let environment: Environment | undefined;

/** Parsed once. Throws if the environment is invalid, but startup rejects that first. */
function currentEnvironment(): Environment {
  if (environment !== undefined) return environment;
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  environment = parsed.value;
  return environment;
}

/** True if people sign in. Local mode has one owner and no sign-in. */
export function isTeamMode(): boolean {
  return teamSettings() !== null;
}

/** Returns the team settings. Null in local mode. */
export function teamSettings(): TeamSettings | null {
  const { mode, secret, appUrl, sessionDays } = currentEnvironment();
  return mode === 'team' && secret !== null && appUrl !== null ? { secret, appUrl, sessionDays } : null;
}

/** The only person of an installation in local mode. */
export const LOCAL_OWNER: { id: string; name: string; role: Role } = { id: 'local', name: 'you', role: 'owner' };

/** True for the only person in local mode, whose work nobody else can review. */
export function isLocalOwner({ id }: { id: string }): boolean {
  return id === LOCAL_OWNER.id;
}

/** Returns the owner for a request in local mode. Null if a start token is required and missing. */
export function findLocalOwner(sent: Headers): typeof LOCAL_OWNER | null {
  return !currentEnvironment().startToken || sent.get(ADMITTED_HEADER) === '1' ? LOCAL_OWNER : null;
}
