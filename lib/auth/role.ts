export const ROLES = ['viewer', 'reviewer', 'editor', 'owner'] as const;
/** What a person or token may do; each role may do all that the ones before it may. */
export type Role = (typeof ROLES)[number];

/** Whether somebody with the role `held` may do what asks for the role `required`. */
export function roleAllows(held: Role, required: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(required);
}

/** The one of two roles that may do less. */
export function lowerRole(one: Role, other: Role): Role {
  return roleAllows(one, other) ? other : one;
}

/** For people who may not do something: what is missing, and what to do. */
export function missingRole(needed: Role, held: Role): string {
  return `This requires the role ${needed}. Your role is ${held}. Ask an owner to change it.`;
}
