import { parseEnvironment } from '#lib/environment.ts';

/**
 * Settings required for team mode. `secret`: at least 32 characters. `appUrl`: the public URL. `sessionDays`: maximum lifetime of a session
 * since the sign-in.
 */
export type TeamSettings = { secret: string; appUrl: string; sessionDays: number };

let settings: TeamSettings | null | undefined;

/** True if people sign in. Local mode has one owner and no sign-in. */
export function isTeamMode(): boolean {
  return teamSettings() !== null;
}

/** Returns the team settings, parsed once. Null in local mode. Throws if the environment is invalid, but startup rejects that first. */
export function teamSettings(): TeamSettings | null {
  if (settings !== undefined) return settings;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  const { mode, secret, appUrl, sessionDays } = environment.value;
  settings = mode === 'team' && secret !== null && appUrl !== null ? { secret, appUrl, sessionDays } : null;
  return settings;
}
