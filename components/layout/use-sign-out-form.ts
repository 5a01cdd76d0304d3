import { unstable_rethrow } from 'next/navigation';
import { type FormEvent, useTransition } from 'react';
import { useSignOut } from '#components/access/role-provider.tsx';
import { toActionFailure } from '#components/access/to-action-failure.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { readRefusalDigest } from '#lib/auth/refusal-digest.ts';

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
    const { problem } = toActionFailure(error, 'Hone did not answer. You may still be signed in. Try again.');
    toast(problem.message, 'problem');
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (signOut !== null) startLeaving(() => signOut().catch(onFailure));
  }
  return { isLeaving, form: signOut === null ? null : { action: signOut, onSubmit } };
}
