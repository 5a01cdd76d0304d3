'use client';

import { LogOut } from 'lucide-react';
import { unstable_rethrow } from 'next/navigation';
import { type FormEvent, useTransition } from 'react';
import { usePerson, useSignOut } from '#components/access/role-provider.tsx';
import { toActionFailure } from '#components/access/to-action-failure.ts';
import { Avatar, initialsOf } from '#components/ui/avatar.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { readRefusalDigest } from '#lib/auth/refusal-digest.ts';

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
          <IconButton icon={LogOut} label="Sign out" type="submit" disabled={isLeaving} title="Sign out" />
        </form>
      )}
    </>
  );
}

/** Returns the props of the form that ends the current session. Null in local mode. A lost connection keeps the page open. */
export function useSignOutForm() {
  const signOut = useSignOut();
  const toast = useToast();
  const [isLeaving, startLeaving] = useTransition();

  function onFailure(error: unknown): void {
    // If the session has already ended, the user is signed out anyway.
    if (readRefusalDigest(error)?.kind === 'unauthorized') {
      window.location.assign('/sign-in');
      return;
    }
    // Redirects are thrown too. Other errors would replace the page.
    unstable_rethrow(error);
    const { problem } = toActionFailure(error, 'Hone did not respond. You may still be signed in. Try again.');
    toast(problem.message, 'problem');
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (signOut !== null) startLeaving(() => signOut().catch(onFailure));
  }
  return { isLeaving, form: signOut === null ? null : { action: signOut, onSubmit } };
}
