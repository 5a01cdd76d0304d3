import type { Role } from '#lib/auth/role.ts';

const INCLUDED_ROLES: Record<Role, string> = {
  viewer: 'members',
  reviewer: 'reviewers, editors and owners',
  editor: 'editors and owners',
  owner: 'owners',
};

/** Returns the message for a user whose role `held` is below the role `required`. */
export function roleRequiredLabel(required: Role, held: Role): string {
  return `Only ${rolesLabel(required)} can do this. You are ${withArticle(held)}.`;
}

/** Returns all roles that include `required`, for example “editors and owners”. */
export function rolesLabel(required: Role): string {
  return INCLUDED_ROLES[required];
}

/** Returns the role with its article: “an owner”, “a viewer”. */
export function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
