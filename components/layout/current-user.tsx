'use client';

import { LogOut } from 'lucide-react';
import { type FormEvent, useTransition } from 'react';
import { usePerson, useSignOut } from '#components/access/role-provider.tsx';
import { Avatar, initialsOf } from '#components/ui/avatar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { readRefusalDigest } from '#lib/auth/refusal-digest.ts';

/** Shows the current user, with links to the account and to sign out. */
export function CurrentUser() {
  const { name, role, isLocal } = usePerson();
  const signOut = useSignOut();
  const [isLeaving, startLeaving] = useTransition();
  const shown = isLocal ? 'Local owner' : name;
  function leave(event: FormEvent) {
    event.preventDefault();
    if (signOut !== null) startLeaving(() => signOut().catch(redirectIfSignedOut));
  }
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
      {signOut === null ? null : (
        <form action={signOut} onSubmit={leave} className="rail:m-0 ml-auto">
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

/** If the session has already ended, the user is signed out anyway. */
function redirectIfSignedOut(error: unknown): void {
  if (readRefusalDigest(error)?.kind !== 'unauthorized') throw error;
  window.location.assign('/sign-in');
}
