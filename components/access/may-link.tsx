'use client';

import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import type { Role } from '#lib/auth/role.ts';
import { useMay } from './role-provider.tsx';

type MayLinkProps = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> & {
  needs: Role;
  href: string;
  onClick?: () => void;
  children: ReactNode;
};

/** A link in the look of a button, to a page for those who hold the role `needs`; others find a disabled button that says so. */
export function MayLink({ needs, href, onClick, children, ...look }: MayLinkProps) {
  const { may, why } = useMay(needs);
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

/** The same as a link in a text: others find the words alone. */
export function MayTextLink({
  needs,
  href,
  target,
  children,
}: Pick<MayLinkProps, 'needs' | 'href' | 'children'> & { target?: '_blank' }) {
  const { may, why } = useMay(needs);
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
