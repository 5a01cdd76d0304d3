import type { Role } from '#lib/auth/role.ts';

/** All roles that include each role. */
const ROLE_GROUPS: Record<Role, string> = {
  viewer: 'members',
  reviewer: 'reviewers, editors and owners',
  editor: 'editors and owners',
  owner: 'owners',
};

/** Returns the message for a user whose role `held` is below the role `required`. */
export function roleRequiredLabel(required: Role, held: Role): string {
  return `Only ${ROLE_GROUPS[required]} can do this. You are ${withArticle(held)}.`;
}

/** Returns the role with its article: “an owner”, “a viewer”. */
export function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
