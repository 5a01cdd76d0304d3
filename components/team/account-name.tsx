'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';

type AccountNameProps = { name: string; rename: (input: unknown) => Promise<Result<{ name: string }>> };

/** One's own name, to be changed. */
export function AccountName({ name: stored, rename }: AccountNameProps) {
  const router = useRouter();
  const toast = useToast();
  const [name, setName] = useState(stored);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, startSending] = useTransition();
  function send(event: FormEvent) {
    event.preventDefault();
    startSending(async () => {
      const result = await rename({ name }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing changed.'),
      );
      setError(result.ok ? null : result.problem.message);
      if (!result.ok) return;
      setName(result.value.name);
      toast(`You go by ${result.value.name} now`);
      router.refresh();
    });
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate>
      <Field
        label="Name"
        help="What you do from now on stands under it; what you did keeps the name it had"
        error={error}
      >
        <Input value={name} maxLength={80} autoComplete="name" onChange={(event) => setName(event.target.value)} />
      </Field>
      <div>
        <Button type="submit" disabled={isBusy || name.trim() === stored}>
          {isBusy ? 'Saving' : 'Save the name'}
        </Button>
      </div>
    </form>
  );
}
