'use client';

import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Fold, FoldBody } from '#components/ui/fold-section.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Problem } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import { MadeSecret } from './made-secret.tsx';
import type { ShownWebhook, WebhookActions, WebhookTestOutcome } from './webhook-actions.ts';
import { WebhookDeliveries } from './webhook-deliveries.tsx';

type WebhookSectionProps = { webhook: ShownWebhook; actions: WebhookActions; now: string };

/** One webhook, folded to a line; opens to test it, change its address or secret, see who uses it and what it was sent, and delete it. */
export function WebhookSection({ webhook, actions, now }: WebhookSectionProps) {
  const router = useRouter();
  const { name, usedBy } = webhook;
  const [url, setUrl] = useState(webhook.url);
  const [outcome, setOutcome] = useState<WebhookTestOutcome | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isBusy, startWorking] = useTransition();

  function test() {
    startWorking(async () => {
      const tested = await actions.test(name).catch((error: unknown) => refusalOf(error, 'Hone did not answer.'));
      setOutcome(tested.ok ? tested.value : { ok: false, message: tested.problem.message });
    });
  }

  function change(input: { url: string } | { newSecret: true }) {
    startWorking(async () => {
      const changed = await actions
        .change(name, input)
        .catch((error: unknown) => refusalOf(error, 'Hone did not answer. Nothing was saved.'));
      setProblem(changed.ok ? null : changed.problem);
      if (!changed.ok) return;
      setSecret(changed.value.secret);
      router.refresh();
    });
  }

  function saveAddress(event: FormEvent) {
    event.preventDefault();
    change({ url });
  }

  return (
    <Fold
      size="row"
      data-testid={`webhook-${name}`}
      title={<b className="font-medium">{name}</b>}
      summary={
        <>
          {webhook.url} ·{' '}
          {usedBy.length === 0 ? 'not used yet' : `used by ${formatNumberOf(usedBy.length, 'experiment')}`}
        </>
      }
    >
      <FoldBody className="flex flex-col gap-4 pb-4 *:max-w-none">
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" onClick={test} disabled={isBusy}>
            {isBusy ? 'Working' : 'Send a test'}
          </Button>
          <RotateSecret name={name} isBusy={isBusy} rotate={() => change({ newSecret: true })} />
          <span className="ml-auto">
            <DeleteButton
              needs="owner"
              name={name}
              what={deletionLabel(usedBy)}
              remove={() => actions.remove(name)}
              goTo="/settings"
            />
          </span>
        </div>
        {outcome?.ok ? (
          <p className="text-better text-sm" role="status">
            ✓ {outcome.message}
          </p>
        ) : null}
        {outcome?.ok === false ? (
          <Notice tone="worse" alert title={outcome.message}>
            {outcome.remedy}
          </Notice>
        ) : null}
        {secret === null ? null : <MadeSecret name={name} secret={secret} />}
        <form className="flex flex-wrap items-end gap-2" onSubmit={saveAddress} noValidate>
          <Field label="Address" className="min-w-0 flex-1" error={problem?.message ?? null}>
            <Input value={url} inputMode="url" onChange={(event) => setUrl(event.target.value)} />
          </Field>
          <Button type="submit" disabled={isBusy || url === webhook.url}>
            Save address
          </Button>
        </form>
        {usedBy.length > 0 ? (
          <p className="text-ink-2 text-sm">Used by {usedBy.map((experiment) => experiment.name).join(', ')}.</p>
        ) : null}
        <WebhookDeliveries name={name} deliveries={webhook.deliveries} now={now} resend={actions.resend} />
      </FoldBody>
    </Fold>
  );
}

function deletionLabel(usedBy: ShownWebhook['usedBy']): string {
  if (usedBy.length === 0) return 'The webhook, its secret and what was sent to it';
  const names = usedBy.slice(0, 5).map(({ name }) => name);
  const more = usedBy.length > names.length ? ` and ${usedBy.length - names.length} more` : '';
  return `${names.join(', ')}${more} use this webhook: their runs will leave its criteria unscored, and its decisions to people. It, its secret and what was sent to it`;
}

type RotateSecretProps = { name: string; isBusy: boolean; rotate: () => void };

/** Makes a new secret, after saying what becomes of the old one. */
function RotateSecret({ name, isBusy, rotate }: RotateSecretProps) {
  const [isOpen, setOpen] = useState(false);
  function send() {
    setOpen(false);
    rotate();
  }
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} disabled={isBusy}>
        <KeyRound className="size-3.25" aria-hidden />
        Rotate secret
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Rotate the secret of ${name}?`}
        description="A new one is made and shown once. The old one holds no longer: until the service has the new one, it cannot check what is sent to it, and its own answers are refused."
      >
        <div className="flex items-center gap-2">
          <Button onClick={send}>Rotate</Button>
          <Button variant="ghost" onClick={() => setOpen(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  );
}
