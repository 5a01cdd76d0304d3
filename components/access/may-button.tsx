'use client';

import type { ComponentProps } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { Role } from '#lib/auth/role.ts';
import { useMay } from './role-provider.tsx';

type MayButtonProps = Omit<ComponentProps<typeof Button>, 'asChild'> & { needs: Role };

/** A button for those who hold the role `needs`; others find it disabled, and it says whose it is. */
export function MayButton({ needs, ...props }: MayButtonProps) {
  const { may, why } = useMay(needs);
  return may ? <Button {...props} /> : <Button {...props} type="button" disabled title={why} />;
}
