'use client';

import { LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Role } from '#lib/auth/role.ts';
import { useMay } from './role-provider.tsx';

type OnlyForProps = {
  needs: Role;
  /** Where it is said already whose this is. */
  isSilent?: boolean;
  children: ReactNode;
};

/** Fields and buttons for those who hold the role `needs`: others find all of them disabled, and read whose they are. */
export function OnlyFor({ needs, isSilent = false, children }: OnlyForProps) {
  const { may, why } = useMay(needs);
  if (may) return children;
  return (
    <>
      {isSilent ? null : <NotYours why={why} />}
      <fieldset className="contents" disabled title={why} data-slot="only-for">
        {children}
      </fieldset>
    </>
  );
}

/** Says whose something is to who finds it disabled. Nothing where `why` is undefined. */
export function NotYours({ why }: { why: string | undefined }) {
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
