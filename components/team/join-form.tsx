'use client';

import { useActionState, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Problem } from '#lib/reflection/problem.ts';

type JoinFormProps = {
  action: (before: Problem | null, form: FormData) => Promise<Problem | null>;
  /** A new password of somebody who is a member already, and whose address is `email`. */
  isPassword: boolean;
  email: string | null;
};

/** Who somebody is to be here, or their new password. It is sent as a plain form, so it works before scripts do. */
export function JoinForm({ action, isPassword, email }: JoinFormProps) {
  const [problem, send, isSending] = useActionState(action, null);
  // React empties a form that was sent: what was written in it stays for the next try.
  const [person, setPerson] = useState({ name: '', email: '' });
  const errorOf = (field: string) => (problem?.field === field ? problem.message : null);
  return (
    <form action={send} className="stack gap-3">
      {problem === null || problem.field !== null ? null : (
        <Notice tone="worse" alert>
          {problem.message}
        </Notice>
      )}
      {isPassword ? (
        <input type="hidden" name="username" autoComplete="username" value={email ?? ''} readOnly />
      ) : (
        <>
          <Field label="Your name" help="Stands beside what you decide and write." error={errorOf('name')}>
            <Input
              name="name"
              autoComplete="name"
              required
              maxLength={80}
              autoFocus
              value={person.name}
              onChange={(event) => setPerson({ ...person, name: event.target.value })}
            />
          </Field>
          <Field label="E-mail address" help="What you sign in with. Nothing is sent to it." error={errorOf('email')}>
            <Input
              name="email"
              type="email"
              autoComplete="username"
              required
              maxLength={254}
              value={person.email}
              onChange={(event) => setPerson({ ...person, email: event.target.value })}
            />
          </Field>
        </>
      )}
      <Field
        label={isPassword ? 'New password' : 'Password'}
        help="At least 12 characters."
        error={errorOf('password')}
      >
        <Input name="password" type="password" autoComplete="new-password" required minLength={12} maxLength={128} />
      </Field>
      <Button type="submit" variant="primary" disabled={isSending}>
        {isSending ? 'One moment…' : isPassword ? 'Set the password and sign in' : 'Join and sign in'}
      </Button>
    </form>
  );
}
