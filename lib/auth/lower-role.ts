import { type Role, roleAllows } from './role.ts';

/** The one of two roles that may do less. */
export function lowerRole(one: Role, other: Role): Role {
  return roleAllows(one, other) ? other : one;
}
