import type { Role } from '#lib/reflection/role.ts';

/** The one person of an installation in local mode. */
export const LOCAL_OWNER: { id: string; name: string; role: Role } = { id: 'local', name: 'you', role: 'owner' };

/** Whether somebody is the one person there is: nobody else could look at their work. */
export function isLocalOwner({ id }: { id: string }): boolean {
  return id === LOCAL_OWNER.id;
}
