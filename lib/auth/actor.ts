import type { RateName } from '#lib/environment.ts';
import type { Role } from './role.ts';

/**
 * The actor of a request, stored in decisions, evaluations and the audit log. `scopes`: permissions of an API token, omitted for people.
 * `memberId`: the member, or the owner of the token, omitted in local mode. `entry`: the entry point used, as in the list of entries.
 * `address`: origin of the request. `sessionId`: the browser session, in team mode.
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
 * An entry point and its access rules. `name` identifies it: `page /runs/{id}`, `action startRuns` or `GET /api/v1/runs`. `scopes`: all are
 * required of an API token; if absent, no token is accepted. `token: 'needed'`: only tokens are accepted. `limit`: additional rate limit.
 */
export type Entry = {
  name: string;
  role: Role;
  scopes?: readonly TokenScope[] | null;
  token?: 'needed' | null;
  limit?: RateName | null;
};
export type EntryKind = 'page' | 'action' | 'route';

/**
 * Returns the id of the responsible person: the member, or the owner of the token. In local mode, the single owner or the program itself.
 */
export function personOf({ id, memberId }: Pick<Actor, 'id' | 'memberId'>): string {
  return memberId ?? id;
}

/** Scopes of API tokens. The tools of the MCP endpoint check the same scopes. */
export const TOKEN_SCOPES = ['lessons:read', 'lessons:write', 'runs:read', 'runs:write'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
