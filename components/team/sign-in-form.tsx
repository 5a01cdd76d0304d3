'use client';

import { useEffect, useRef, useState } from 'react';
import { useSignOut } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Problem } from '#lib/core/problem.ts';
import { usePlainForm } from './use-plain-form.ts';

type SignInFormProps = {
  action: (before: Problem | null, form: FormData) => Promise<Problem | null>;
  /** Destination path in this app after the sign-in. */
  to: string;
};

/** Form for the email address and password. A plain form, so that it works before hydration. */
export function SignInForm({ action, to }: SignInFormProps) {
  const {
    state: problem,
    form,
    isSending,
  } = usePlainForm<Problem | null>({
    action,
    initial: null,
    toState: (lost) => lost,
    noAnswer: 'Hone did not respond. Try again.',
  });
  // React resets a submitted form, so the email address is kept.
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const passwordInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem === null) return;
    passwordInput.current?.focus();
    passwordInput.current?.select();
  }, [problem]);
  return (
    <form {...form} className="flex flex-col gap-3">
      {problem === null ? null : (
        <Notice tone="worse" alert>
          {problem.message}
        </Notice>
      )}
      <input type="hidden" name="to" value={to} />
      <Field label="E-mail address">
        <Input
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          autoFocus
          value={email}
          onValue={setEmail}
        />
      </Field>
      <Field label="Password" help="Forgot it? An owner can create a link to set a new one.">
        <Input
          ref={passwordInput}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={128}
          value={password}
          onValue={setPassword}
        />
      </Field>
      <Button type="submit" variant="primary" disabled={isSending}>
        {isSending ? 'Signing in' : 'Sign in'}
      </Button>
    </form>
  );
}

/**
 * Reloads the sign-in page if its layout still belongs to a signed-in user whose session has ended. Client navigation does not re-render
 * the layout, but a page load does.
 */
export function StaleLayoutReload() {
  const isStale = useSignOut() !== null;
  useEffect(() => {
    if (isStale) window.location.replace(window.location.href);
  }, [isStale]);
  return null;
}
