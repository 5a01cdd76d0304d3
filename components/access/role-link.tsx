'use client';

import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import type { Role } from '#lib/auth/role.ts';
import { useRoleAccess } from './role-provider.tsx';

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
    <TextLink href={href} target={target}>
      {children}
    </TextLink>
  );
}
