'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';

type AccountPasswordProps = { change: (input: unknown) => Promise<Result<null>> };

/** Changes one's own password, after the current one. */
export function AccountPassword({ change }: AccountPasswordProps) {
  const router = useRouter();
  const toast = useToast();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, startSending] = useTransition();
  const errorAt = (field: string) => problemAt(problem, field);
  const isElsewhere = problem !== null && errorAt('current') === null && errorAt('next') === null;
  function send(event: FormEvent) {
    event.preventDefault();
    startSending(async () => {
      const result = await change({ current, next }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Try to sign in with the new password before you try again.'),
      );
      setProblem(result.ok ? null : result.problem);
      if (!result.ok) return;
      setCurrent('');
      setNext('');
      toast('Your password is changed; your other browsers are signed out');
      router.refresh();
    });
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate>
      <Field label="Current password" error={errorAt('current')}>
        <Input
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
      </Field>
      <Field label="New password" help="At least 12 characters" error={errorAt('next')}>
        <Input
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
      </Field>
      {isElsewhere ? (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" disabled={isBusy || current === '' || next === ''}>
          {isBusy ? 'Changing' : 'Change the password'}
        </Button>
      </div>
    </form>
  );
}
