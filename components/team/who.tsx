'use client';

import { LogOut } from 'lucide-react';
import Link from 'next/link';
import { type FormEvent, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { readRefusalDigest } from '#lib/reflection/refusal-digest.ts';
import { initialsOf } from './initials-of.ts';
import { usePerson, useSignOut } from './role-provider.tsx';

/** Who is signed in, with the way to their account and out. */
export function Who() {
  const { name, role, isLocal } = usePerson();
  const signOut = useSignOut();
  const [isLeaving, startLeaving] = useTransition();
  const shown = isLocal ? 'Local owner' : name;
  function leave(event: FormEvent) {
    event.preventDefault();
    if (signOut !== null) startLeaving(() => signOut().catch(leaveAlready));
  }
  return (
    <>
      <span className="av" aria-hidden>
        {initialsOf(shown)}
      </span>
      {isLocal ? (
        <span className="trunc lb">{shown}</span>
      ) : (
        <Link href="/account" className="lb min-w-0" title={`${name}, ${role}: your account`}>
          <span className="trunc block">{name}</span>
          <span className="trunc faint block">{role}</span>
        </Link>
      )}
      {signOut === null ? null : (
        <form action={signOut} onSubmit={leave} className="end">
          <Button
            type="submit"
            disabled={isLeaving}
            variant="ghost"
            size="smallIcon"
            aria-label="Sign out"
            title="Sign out"
          >
            <LogOut className="i s" aria-hidden />
          </Button>
        </form>
      )}
    </>
  );
}

/** Whose session has ended meanwhile is out already. */
function leaveAlready(error: unknown): void {
  if (readRefusalDigest(error)?.kind !== 'unauthorized') throw error;
  window.location.assign('/sign-in');
}
