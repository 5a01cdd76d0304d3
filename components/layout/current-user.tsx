'use client';

import { LogOut } from 'lucide-react';
import { usePerson } from '#components/access/role-provider.tsx';
import { Avatar, initialsOf } from '#components/ui/avatar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { useSignOutForm } from './use-sign-out-form.ts';

/** Shows the current user, with links to the account and to sign out. */
export function CurrentUser() {
  const { name, role, isLocal } = usePerson();
  const { isLeaving, form } = useSignOutForm();
  const shown = isLocal ? 'Local owner' : name;
  return (
    <>
      <Avatar>{initialsOf(shown)}</Avatar>
      {isLocal ? (
        <span className="rail:sr-only min-w-0 truncate">{shown}</span>
      ) : (
        <Link href="/account" className="rail:sr-only min-w-0" title={`${name}, ${role}: your account`}>
          <span className="block min-w-0 truncate">{name}</span>
          <span className="block min-w-0 truncate text-ink-3">{role}</span>
        </Link>
      )}
      {form === null ? null : (
        <form {...form} className="rail:m-0 ml-auto">
          <Button
            type="submit"
            disabled={isLeaving}
            variant="ghost"
            size="smallIcon"
            aria-label="Sign out"
            title="Sign out"
          >
            <LogOut />
          </Button>
        </form>
      )}
    </>
  );
}
