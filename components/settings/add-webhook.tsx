'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import type { Problem } from '#lib/core/problem.ts';
import { MadeSecret } from './made-secret.tsx';
import type { WebhookActions } from './webhook-actions.ts';

/** Adds a webhook by name and address; shows the secret that was made for it. */
export function AddWebhook({ add }: Pick<WebhookActions, 'add'>) {
  const router = useRouter();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const [isBusy, startSending] = useTransition();
  const errorAt = (field: string) => problemAt(problem, field);

  function send(event: FormEvent) {
    event.preventDefault();
    setMade(null);
    startSending(async () => {
      const input = { name, url, ...(secret === '' ? {} : { secret }) };
      const added = await add(input).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was saved.'),
      );
      if (!added.ok) return setProblem(added.problem);
      setProblem(null);
      if (added.value.secret !== null) setMade({ name, secret: added.value.secret });
      setName('');
      setUrl('');
      setSecret('');
      router.refresh();
    });
  }

  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate>
      <Field label="Name" help="How experiments call it" error={errorAt('name')}>
        <Input value={name} placeholder="style-checker" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field
        label="Address"
        help="Public, or on this machine; other private hosts must be named in HONE_ALLOWED_PRIVATE_HOSTS"
        error={errorAt('url')}
      >
        <Input
          value={url}
          inputMode="url"
          placeholder="https://example.com/score"
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Field label="Secret" help="Empty: one is made and shown once. Stored encrypted" error={errorAt('secret')}>
        <Input type="password" value={secret} autoComplete="off" onChange={(event) => setSecret(event.target.value)} />
      </Field>
      {problem && !['name', 'url', 'secret'].includes(problem.field ?? '') ? (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" variant="primary" disabled={isBusy}>
          <Plus className="size-3.25" aria-hidden />
          {isBusy ? 'Adding' : 'Add webhook'}
        </Button>
      </div>
      {made ? <MadeSecret name={made.name} secret={made.secret} /> : null}
    </form>
  );
}
