export const ROLES = ['viewer', 'reviewer', 'editor', 'owner'] as const;
/** Role of a person or token. Each role includes the permissions of the preceding ones. */
export type Role = (typeof ROLES)[number];

/** True if the role `held` includes the permissions of the role `required`. */
export function roleAllows(held: Role, required: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(required);
}

/** Returns the role with fewer permissions. */
export function lowerRole(one: Role, other: Role): Role {
  return roleAllows(one, other) ? other : one;
}

/** Returns the message for a missing role, with the next step. */
export function missingRole(needed: Role, held: Role): string {
  return `This requires the role ${needed}. Your role is ${held}. Ask an owner to change it.`;
}
