import { TOKEN_SCOPES, type TokenScope } from '#lib/auth/actor.ts';
import type { ListedEntry } from '#lib/auth/entries.test-support.ts';
import { ROLES, type Role, roleAllows } from '#lib/auth/role.ts';
import type { From, Row } from './row.ts';

/** Somebody who asks: with a cookie, with a token, or with neither. */
export type Caller = {
  name: string;
  headers: Record<string, string>;
  /** Of the member who asks, or whose token does; null for strangers. */
  role: Role | null;
  /** Of a token. */
  scopes?: readonly TokenScope[];
};

/** What should become of a request. */
export type Expected = 'let in' | 'refused' | 'sign-in';

/** What the product promises somebody at an entry. A token does what its scopes allow, and never more than whose it is. */
export function expectedOf(caller: Caller, entry: ListedEntry, from: From, row: Row): Expected {
  if (from === 'nobody') return 'let in';
  if (caller.role === null) return row.toStrangers === undefined ? 'sign-in' : 'let in';
  if (row.tokenNeeded && caller.scopes === undefined) return 'sign-in';
  if (caller.scopes === undefined) return roleAllows(caller.role, from) ? 'let in' : 'refused';
  // Pages and actions are for people: there a token is no more than an unknown header.
  if (entry.kind !== 'route') return 'sign-in';
  const { scopes } = caller;
  const most: Role = scopes.some((scope) => scope.endsWith(':write')) ? 'editor' : 'reviewer';
  const role = lower(most, caller.role);
  const hasScopes = entry.scopes?.every((scope) => scopes.includes(scope)) ?? false;
  return hasScopes && roleAllows(role, from) ? 'let in' : 'refused';
}

function lower(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other;
}

/** Which tokens ask: with every scope, of members who may less than these and of one who may more, and of the owner with each scope alone. */
export const TOKENS: readonly { of: Role; scopes: readonly TokenScope[] }[] = [
  { of: 'viewer', scopes: TOKEN_SCOPES },
  { of: 'reviewer', scopes: TOKEN_SCOPES },
  { of: 'owner', scopes: TOKEN_SCOPES },
  ...TOKEN_SCOPES.map((scope) => ({ of: 'owner' as const, scopes: [scope] })),
];
