import type { Role } from '#lib/auth/role.ts';

const WHOSE: Record<Role, string> = {
  viewer: 'members',
  reviewer: 'reviewers, editors and owners',
  editor: 'editors and owners',
  owner: 'owners',
};

/** Whose something is that asks for the role `required`, to somebody who holds a lower one. */
export function notYours(required: Role, held: Role): string {
  return `Only ${whose(required)} can do this. You are ${withArticle(held)}.`;
}

/** All who may do what asks for the role `required`: “editors and owners”. */
export function whose(required: Role): string {
  return WHOSE[required];
}

/** “an owner”, “a viewer”. */
export function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
