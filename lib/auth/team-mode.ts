import { parseEnvironment } from '#lib/environment.ts';

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
