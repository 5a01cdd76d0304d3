'use client';

import type { ComponentProps } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { Role } from '#lib/auth/role.ts';
import { useRoleAccess } from './role-provider.tsx';

type RoleButtonProps = Omit<ComponentProps<typeof Button>, 'asChild'> & { needs: Role };

/** Button for users with the role `needs`. For others it is disabled and its tooltip names the required role. */
export function RoleButton({ needs, ...props }: RoleButtonProps) {
  const { may, why } = useRoleAccess(needs);
  return may ? <Button {...props} /> : <Button {...props} type="button" disabled title={why} />;
}
