import { TOKEN_SCOPES, type TokenScope } from '#lib/auth/actor.ts';
import type { ListedEntry } from '#lib/auth/entries.test-support.ts';
import { ROLES, type Role, roleAllows } from '#lib/auth/role.ts';
import type { From, Row } from './row.ts';

/** Sender of requests, with a cookie, a token or neither. */
export type Caller = {
  name: string;
  headers: Record<string, string>;
  /** Role of the member or of the token's owner; null if unauthenticated. */
  role: Role | null;
  /** Of a token. */
  scopes?: readonly TokenScope[];
};

/** Expected outcome of a request. */
export type Expected = 'allowed' | 'refused' | 'sign-in';

/** Returns the outcome that a caller must get at an entry. A token grants its scopes, and never more than its owner's role. */
export function expectedOf(caller: Caller, entry: ListedEntry, from: From, row: Row): Expected {
  if (from === 'public') return 'allowed';
  if (caller.role === null) return row.unauthenticatedBody === undefined ? 'sign-in' : 'allowed';
  if (row.tokenNeeded && caller.scopes === undefined) return 'sign-in';
  if (caller.scopes === undefined) return roleAllows(caller.role, from) ? 'allowed' : 'refused';
  // Pages and actions ignore API tokens, so a token counts as unauthenticated there.
  if (entry.kind !== 'route') return 'sign-in';
  const { scopes } = caller;
  const most: Role = scopes.some((scope) => scope.endsWith(':write')) ? 'editor' : 'reviewer';
  const role = lower(most, caller.role);
  const hasScopes = entry.scopes?.every((scope) => scopes.includes(scope)) ?? false;
  return hasScopes && roleAllows(role, from) ? 'allowed' : 'refused';
}

function lower(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other;
}

/** Tokens under test: all scopes for members of three roles, and each scope alone for the owner. */
export const TOKENS: readonly { of: Role; scopes: readonly TokenScope[] }[] = [
  { of: 'viewer', scopes: TOKEN_SCOPES },
  { of: 'reviewer', scopes: TOKEN_SCOPES },
  { of: 'owner', scopes: TOKEN_SCOPES },
  ...TOKEN_SCOPES.map((scope) => ({ of: 'owner' as const, scopes: [scope] })),
];
