import type { RateName } from '#lib/environment.ts';
import type { Role } from './role.ts';

/**
 * Who acts: stands in decisions, evaluations and the audit log. `scopes`: of a program with an API token, what it may do; left out for
 * people. `memberId`: the member who acts, or whose token does; left out in local mode. `entry`: the way in, as the list of entries
 * names it. `address`: where the request comes from. `sessionId`: of the browser's session, in team mode.
 */
export type Actor = {
  id: string;
  name: string;
  role: Role;
  scopes?: readonly TokenScope[];
  memberId?: string;
  entry?: string;
  address?: string;
  sessionId?: string;
};
/**
 * A way into the app and who may use it. `name` tells what it is: `page /runs/{id}`, `action startRuns` or `GET /api/v1/runs`. `scopes`:
 * those that an API token needs, all of them; without them no token may. `token: 'needed'`: nobody gets in without one. `limit`: what it
 * counts as beside being a request.
 */
export type Entry = {
  name: string;
  role: Role;
  scopes?: readonly TokenScope[] | null;
  token?: 'needed' | null;
  limit?: RateName | null;
};
export type EntryKind = 'page' | 'action' | 'route';

/** Whose doing it is: the member who acts or whose token does; in local mode the one owner, or the program itself. */
export function personOf({ id, memberId }: Pick<Actor, 'id' | 'memberId'>): string {
  return memberId ?? id;
}

/** What a program with an API token may do, beside the endpoint for agents (MCP), whose tools ask for the same scopes. */
export const TOKEN_SCOPES = ['lessons:read', 'lessons:write', 'runs:read', 'runs:write'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
