'use client';

import { LockKeyhole } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import type { Role } from '#lib/auth/role.ts';
import { useRoleAccess } from './role-provider.tsx';

type RoleButtonProps = Omit<ComponentProps<typeof Button>, 'asChild'> & { needs: Role };

/** Button for users with the role `needs`. For others it is disabled and its tooltip names the required role. */
export function RoleButton({ needs, ...props }: RoleButtonProps) {
  const { may, why } = useRoleAccess(needs);
  return may ? <Button {...props} /> : <Button {...props} type="button" disabled title={why} />;
}

type RoleLinkProps = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> & {
  needs: Role;
  href: string;
  onClick?: () => void;
  children: ReactNode;
};

/** Link styled as a button, for users with the role `needs`. Others get a disabled button with the reason. */
export function RoleLink({ needs, href, onClick, children, ...look }: RoleLinkProps) {
  const { may, why } = useRoleAccess(needs);
  if (!may)
    return (
      <Button {...look} disabled title={why}>
        {children}
      </Button>
    );
  return (
    <Button asChild {...look}>
      <Link href={href} onClick={onClick}>
        {children}
      </Link>
    </Button>
  );
}

/** Inline link for users with the role `needs`. Others get plain text. */
export function RoleTextLink({
  needs,
  href,
  target,
  children,
}: Pick<RoleLinkProps, 'needs' | 'href' | 'children'> & { target?: '_blank' }) {
  const { may, why } = useRoleAccess(needs);
  if (!may)
    return (
      <span className="text-ink-2" title={why}>
        {children}
      </span>
    );
  return (
    <Link className="link" href={href} target={target}>
      {children}
    </Link>
  );
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
