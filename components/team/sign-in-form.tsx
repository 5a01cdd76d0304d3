'use client';

import { useActionState, useEffect, useRef, useState } from 'react';
import { useSignOut } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Problem } from '#lib/core/problem.ts';

type SignInFormProps = {
  action: (before: Problem | null, form: FormData) => Promise<Problem | null>;
  /** Where to go afterwards, in this app. */
  to: string;
};

/** E-mail address and password. It is sent as a plain form, so it works before scripts do. */
export function SignInForm({ action, to }: SignInFormProps) {
  const [problem, send, isSending] = useActionState(action, null);
  // React empties a form that was sent.
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const passwordInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem === null) return;
    passwordInput.current?.focus();
    passwordInput.current?.select();
  }, [problem]);
  return (
    <form action={send} className="flex flex-col gap-3">
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
          onChange={(event) => setEmail(event.target.value)}
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
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" disabled={isSending}>
        {isSending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}

/**
 * For the sign-in, which nobody sees who is signed in: a frame around it that still is somebody's was left by a session that ended
 * meanwhile. Going from page to page does not draw it anew, loading the page does.
 */
export function FreshFrame() {
  const isStale = useSignOut() !== null;
  useEffect(() => {
    if (isStale) window.location.replace(window.location.href);
  }, [isStale]);
  return null;
}
