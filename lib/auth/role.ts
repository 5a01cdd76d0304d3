export const ROLES = ['viewer', 'reviewer', 'editor', 'owner'] as const;
/** What a person or token may do; each role may do all that the ones before it may. */
export type Role = (typeof ROLES)[number];

/** Whether somebody with the role `held` may do what asks for the role `required`. */
export function roleAllows(held: Role, required: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(required);
}
