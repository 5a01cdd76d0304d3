import type { Role } from './role.ts';

/** For people who may not do something: what is missing, and what to do. */
export function missingRole(needed: Role, held: Role): string {
  return `This needs the role ${needed}; yours is ${held}. An owner can give it to you.`;
}
