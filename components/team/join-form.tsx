'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Problem } from '#lib/core/problem.ts';
import { usePlainForm } from './use-plain-form.ts';

type Problems = readonly Problem[];

type JoinFormProps = {
  action: (before: Problems, form: FormData) => Promise<Problems>;
  /** True if an existing member with the address `email` sets a new password. */
  isPassword: boolean;
  email: string | null;
};

/** Form for a new member's details or for a new password. A plain form, so that it works before hydration. */
export function JoinForm({ action, isPassword, email }: JoinFormProps) {
  const {
    state: problems,
    form: sending,
    isSending,
  } = usePlainForm<Problems>({
    action,
    initial: [],
    toState: (lost) => [lost],
    noAnswer: 'Hone did not respond. Try again. If the link is no longer valid, try to sign in.',
  });
  // React resets a submitted form, so the entered values are kept for the next attempt.
  const [typed, setTyped] = useState({ name: '', email: '', password: '' });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.message ?? null;
  const whole = problems.find(({ field }) => field === null);
  return (
    <form ref={form} {...sending} className="flex flex-col gap-3" noValidate>
      {whole === undefined ? null : (
        <Notice tone="worse" alert>
          {whole.message}
        </Notice>
      )}
      {isPassword ? (
        <input type="hidden" name="username" autoComplete="username" value={email ?? ''} readOnly />
      ) : (
        <>
          <Field label="Your name" help="Shown next to your decisions and comments." error={errorOf('name')}>
            <Input
              name="name"
              autoComplete="name"
              required
              maxLength={80}
              autoFocus
              value={typed.name}
              onValue={(name) => setTyped({ ...typed, name })}
            />
          </Field>
          <Field label="E-mail address" help="You sign in with it. Hone sends no e-mail." error={errorOf('email')}>
            <Input
              name="email"
              type="email"
              autoComplete="username"
              required
              maxLength={254}
              value={typed.email}
              onValue={(email) => setTyped({ ...typed, email })}
            />
          </Field>
        </>
      )}
      <Field
        label={isPassword ? 'New password' : 'Password'}
        help="At least 12 characters."
        error={errorOf('password')}
      >
        <Input
          name="password"
          type="password"
          autoComplete="new-password"
          required
          maxLength={128}
          value={typed.password}
          onValue={(password) => setTyped({ ...typed, password })}
        />
      </Field>
      <Button type="submit" variant="primary" disabled={isSending}>
        {isSending ? 'Signing in' : isPassword ? 'Set password and sign in' : 'Join and sign in'}
      </Button>
    </form>
  );
}
