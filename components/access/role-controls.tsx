'use client';

import { LockKeyhole } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { Role } from '#lib/auth/role.ts';
import { useRoleAccess } from './role-provider.tsx';

/** Button for users with the role `needs`. For others it is disabled and its tooltip names the required role. */
export function RoleButton({ needs, ...props }: Omit<ComponentProps<typeof Button>, 'asChild'> & { needs: Role }) {
  const { may, why } = useRoleAccess(needs);
  return may ? <Button {...props} /> : <Button {...props} type="button" disabled title={why} />;
}

type RoleGateProps = {
  needs: Role;
  /** True if the page already states the required role. */
  isSilent?: boolean;
  children: ReactNode;
};

/** Enables its fields and buttons for users with the role `needs`. For others all are disabled, with the reason. */
export function RoleGate({ needs, isSilent = false, children }: RoleGateProps) {
  const { may, why } = useRoleAccess(needs);
  if (may) return children;
  return (
    <>
      {isSilent ? null : <RoleRequired why={why} />}
      <fieldset className="contents" disabled title={why} data-slot="only-for">
        {children}
      </fieldset>
    </>
  );
}

/** Explains why something is disabled. Renders nothing if `why` is undefined. */
export function RoleRequired({ why }: { why: string | undefined }) {
  if (why === undefined) return null;
  return (
    <p
      data-slot="not-allowed"
      className="mt-1 mb-2 flex items-center gap-2 text-ink-2 text-sm has-[+[data-slot=only-for]>form>[data-slot=scroll-x]]:px-6"
      data-testid="not-yours"
    >
      <LockKeyhole />
      {why}
    </p>
  );
}
