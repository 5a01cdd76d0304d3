'use client';

import { type FormEvent, useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { read } from '#components/experiment/draft-entries.ts';
import { Field, Input } from '#components/ui/field.tsx';
import { FormErrors } from '#components/ui/form-errors.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import type { TargetView } from '#lib/targets/schema.ts';

type TargetSettingsProps = {
  target: TargetView;
  save: (name: string, input: unknown) => Promise<Result<unknown>>;
};

/** Where an app is called, unless it connects to Hone, and how long and how often at a time. */
export function TargetSettings({ target, save }: TargetSettingsProps) {
  const toast = useToast();
  const [url, setUrl] = useState(target.url ?? '');
  const [secret, setSecret] = useState('');
  const [timeout, setTimeoutText] = useState(String(target.timeoutSeconds ?? ''));
  const [most, setMost] = useState(String(target.maxConcurrency ?? ''));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, startSaving] = useTransition();
  function send(event: FormEvent) {
    event.preventDefault();
    startSaving(async () => {
      const input = {
        ...{ kind: target.kind, timeoutSeconds: read(timeout), maxConcurrency: read(most) },
        ...(target.kind === 'http' && { url, ...(secret !== '' && { secret }) }),
      };
      const result = await save(target.name, input).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was saved.'),
      );
      setProblem(result.ok ? null : result.problem);
      if (result.ok) toast(`Saved ${target.name}`, 'done');
    });
  }
  return (
    <FormErrors problems={problemsOf(problem)}>
      <form onSubmit={send} noValidate className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {target.kind === 'sdk' ? null : (
          <>
            <Field label="URL" help="Changing the URL deletes the secret." path="url">
              <Input value={url} onChange={(event) => setUrl(event.target.value)} />
            </Field>
            <Field
              label="New secret"
              help={target.hasSecret ? 'A secret is stored.' : 'No secret is stored.'}
              path="secret"
            >
              <Input
                type="password"
                autoComplete="off"
                value={secret}
                onChange={(event) => setSecret(event.target.value)}
              />
            </Field>
          </>
        )}
        <Field label="Timeout (seconds)" help="Leave empty for 300." path="timeoutSeconds">
          <Input numeric value={timeout} onChange={(event) => setTimeoutText(event.target.value)} />
        </Field>
        <Field label="Maximum concurrent calls" help="Leave empty for no limit." path="maxConcurrency">
          <Input numeric value={most} onChange={(event) => setMost(event.target.value)} />
        </Field>
        <div>
          <MayButton needs="owner" size="small" type="submit" disabled={isBusy}>
            {isBusy ? 'Saving' : 'Save settings'}
          </MayButton>
        </div>
      </form>
    </FormErrors>
  );
}
