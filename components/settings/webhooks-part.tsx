'use client';

import { KeyRound, Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Fold, FoldBody } from '#components/ui/fold-section.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import { formatDuration, formatNumberOf, formatRunNumber } from '#lib/format.ts';
import type { WebhookView } from '#lib/webhooks/queries.ts';
import type { DeliveryState, WebhookDelivery } from '#lib/webhooks/schema.ts';

/** A webhook as shown on the page, without its secret. */
type ShownWebhook = Pick<WebhookView, 'name' | 'url' | 'usedBy'> & {
  /** The latest. */
  deliveries: WebhookDelivery[];
};
type WebhookTestOutcome = { ok: boolean; message: string; remedy?: string | undefined };

/** Lists the webhooks of the installation and adds new ones. */
export function WebhooksPart({ webhooks }: { webhooks: ShownWebhook[] }) {
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_25rem]" aria-labelledby="webhooks">
      <div className="min-w-0">
        <Pane>
          <PaneHeader titleId="webhooks" title="Webhooks" />
          <p className="max-w-[70ch] text-ink-2">
            A webhook is your own service that scores outputs or decides on waiting runs. Choose it in a criterion or in
            “People and budget” of an experiment. Hone posts the output with its input, metadata and reference, and uses
            the score or decision in the response.
          </p>
          <p className="mt-2 max-w-[70ch] text-ink-2">
            Hone signs every request with HMAC-SHA256 over <code>timestamp.body</code> and the secret of the webhook.
            The headers are <code className="whitespace-nowrap">hone-signature</code>,{' '}
            <code className="whitespace-nowrap">hone-timestamp</code> and{' '}
            <code className="whitespace-nowrap">hone-delivery</code>. A decision must repeat <code>pauseId</code> and{' '}
            <code>delivery</code> of its request and use the same signature.
          </p>
        </Pane>
        {webhooks.length === 0 ? (
          <PaneNote>No webhooks yet.</PaneNote>
        ) : (
          webhooks.map((webhook) => <WebhookSection key={webhook.name} webhook={webhook} />)
        )}
      </div>
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader>
            <h3>Add webhook</h3>
          </PaneHeader>
          <AddWebhook />
        </Pane>
      </div>
    </Columns>
  );
}

function WebhookSection({ webhook }: { webhook: ShownWebhook }) {
  const { name, usedBy } = webhook;
  const url = useStoredField(webhook.url);
  const [outcome, setOutcome] = useState<WebhookTestOutcome | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const testing = useSubmit('Hone did not respond.', { refreshes: false });
  const { isBusy: isChanging, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  const isBusy = testing.isBusy || isChanging;

  function test() {
    testing.settle(submitApi('POST /api/v1/webhooks/{name}/test', { params: { name } }), (tested) =>
      setOutcome(tested.ok ? tested.value : { ok: false, message: tested.problem.message }),
    );
  }

  function change(input: { url: string } | { newSecret: true }) {
    submit(submitApi('PATCH /api/v1/webhooks/{name}', { params: { name }, body: input }), (changed) => {
      setSecret(changed.secret);
      if ('url' in input) url.saved();
    });
  }

  return (
    <Fold
      size="row"
      data-testid={`webhook-${name}`}
      title={
        <b className="min-w-0 truncate font-medium" title={name}>
          {name}
        </b>
      }
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
            {testing.isBusy ? 'Sending' : 'Send test'}
          </Button>
          <RotateSecret name={name} isBusy={isBusy} rotate={() => change({ newSecret: true })} />
          <span className="ml-auto">
            <DeleteButton
              needs="owner"
              name={name}
              what={deletionLabel(usedBy)}
              route="DELETE /api/v1/webhooks/{name}"
              request={{ params: { name }, query: { evenInUse: 'true' } }}
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
        <SubmitForm className="flex flex-wrap items-end gap-2" onSubmit={() => change({ url: url.value })}>
          <Field
            label="URL"
            className="min-w-0 flex-1"
            error={storedFieldError(url, errorAt('url') ?? problem?.message ?? null, problem)}
          >
            <Input value={url.value} inputMode="url" onValue={url.setValue} />
          </Field>
          <Button type="submit" disabled={isBusy || !url.isChanged}>
            Save URL
          </Button>
        </SubmitForm>
        {usedBy.length > 0 ? (
          <p className="text-ink-2 text-sm">Used by: {usedBy.map((experiment) => experiment.name).join(', ')}</p>
        ) : null}
        <WebhookDeliveries name={name} deliveries={webhook.deliveries} />
      </FoldBody>
    </Fold>
  );
}

function deletionLabel(usedBy: ShownWebhook['usedBy']): string {
  if (usedBy.length === 0) return 'The webhook, its secret and its deliveries';
  const names = usedBy.slice(0, 5).map(({ name }) => name);
  const more = usedBy.length > names.length ? ` and ${usedBy.length - names.length} more` : '';
  return `${names.join(', ')}${more} use this webhook. Their runs will leave its criteria unscored and its decisions to reviewers. The webhook, its secret and its deliveries`;
}

/** Creates a new secret after explaining the effect on the old one. */
function RotateSecret({ name, isBusy, rotate }: { name: string; isBusy: boolean; rotate: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} disabled={isBusy}>
        <KeyRound />
        Rotate secret
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Rotate the secret of ${name}?`}
        description="Hone shows the new secret once and rejects the old one. Requests and decisions fail until your service uses the new secret."
        action="Rotate"
        onConfirm={() => {
          setOpen(false);
          rotate();
        }}
      />
    </>
  );
}

function WebhookDeliveries({ name, deliveries }: { name: string; deliveries: readonly WebhookDelivery[] }) {
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. Nothing was sent.', { refreshes: 'always' });
  const resend = (id: string) =>
    submitApi('POST /api/v1/webhooks/{name}/deliveries/{id}/resend', { params: { name, id } });
  if (deliveries.length === 0)
    return <p className="text-ink-2 text-sm">No decision requests yet. Deliveries appear here.</p>;

  return (
    <section aria-label={`Latest deliveries to ${name}`}>
      <h3 className="mb-2">Latest deliveries</h3>
      <ul className="flex flex-col gap-3">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-col gap-1.5" data-testid={`delivery-${delivery.state}`}>
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone={STATES[delivery.state].tone}>{STATES[delivery.state].label}</Badge>
              <TextLink href={`/runs/${delivery.runId}`}>Run {formatRunNumber(delivery.runNumber)}</TextLink>
              <span className="text-ink-2 text-sm">
                <TimeAgo moment={delivery.createdAt} /> · {formatNumberOf(delivery.tries, 'try', 'tries')}
                {delivery.durationMs === null ? '' : ` · ${formatDuration(delivery.durationMs)}`}
              </span>
              {RESENDABLE_STATES.includes(delivery.state) ? (
                <span className="ml-auto">
                  <Button
                    size="small"
                    onClick={() => submitWithToast(resend(delivery.id), 'Sent again')}
                    disabled={isBusy}
                  >
                    <RotateCw />
                    Resend
                  </Button>
                </span>
              ) : null}
            </div>
            {delivery.outcome === null ? null : <p className="wrap-anywhere text-sm">{delivery.outcome}</p>}
            {delivery.error === null ? null : <p className="wrap-anywhere text-ink-2 text-sm">{delivery.error}</p>}
            <details>
              <summary className="cursor-pointer text-ink-2 text-sm">Request and response</summary>
              <p className="mt-1 text-ink-3 text-sm">hone-delivery: {delivery.id}</p>
              <CodeBlock className="mt-1">{delivery.request}</CodeBlock>
              <p className="mt-1 text-ink-3 text-sm">
                {delivery.responseStatus === null ? 'No response.' : `Status ${delivery.responseStatus}`}
              </p>
              {delivery.response ? <CodeBlock className="mt-1">{delivery.response}</CodeBlock> : null}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** States in which the run may still wait for an answer. */
const RESENDABLE_STATES: readonly DeliveryState[] = ['failed', 'refused', 'declined'];

const STATES: Record<DeliveryState, { label: string; tone: 'default' | 'better' | 'worse' | 'wait' }> = {
  waiting: { label: 'queued', tone: 'wait' },
  sending: { label: 'sending', tone: 'wait' },
  decided: { label: '✓ decided', tone: 'better' },
  declined: { label: 'declined', tone: 'default' },
  refused: { label: '✕ response refused', tone: 'worse' },
  late: { label: 'too late', tone: 'default' },
  failed: { label: '✕ failed', tone: 'worse' },
  dropped: { label: 'not sent', tone: 'default' },
};

function AddWebhook() {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved.');

  function send() {
    const body = { name, url, ...(secret === '' ? {} : { secret }) };
    submit(submitApi('POST /api/v1/webhooks', { body }), (value) => {
      if (value.secret !== null) setMade({ name, secret: value.secret });
      setName('');
      setUrl('');
      setSecret('');
    });
  }

  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
      <Field label="Name" help="Name in experiments" error={errorAt('name')}>
        <Input value={name} placeholder="style-checker" onValue={setName} />
      </Field>
      <Field
        label="URL"
        help="A public host or this machine. Add other private hosts to HONE_ALLOWED_PRIVATE_HOSTS."
        error={errorAt('url')}
      >
        <Input value={url} inputMode="url" placeholder="https://example.com/score" onValue={setUrl} />
      </Field>
      <Field
        label="Secret"
        help="Leave empty to generate one, which is shown once. Stored encrypted."
        error={errorAt('secret')}
      >
        <Input type="password" value={secret} onValue={setSecret} />
      </Field>
      {problem && !['name', 'url', 'secret'].includes(problem.field ?? '') ? (
        <InlineError>{problem.message}</InlineError>
      ) : null}
      <div>
        <Button type="submit" variant="primary" disabled={isBusy}>
          <Plus />
          {isBusy ? 'Adding' : 'Add webhook'}
        </Button>
      </div>
      {made ? <MadeSecret name={made.name} secret={made.secret} /> : null}
    </SubmitForm>
  );
}

/** Shows a new secret. It cannot be copied later. */
function MadeSecret({ name, secret }: { name: string; secret: string }) {
  return (
    <Notice title={`Secret of ${name}, only shown once`} alert>
      Store it in your service, so that it can verify signatures.
      <code className="wrap-anywhere mt-1.5 block select-all font-mono text-[0.94em]" data-testid="made-secret">
        <KeyRound /> {secret}
      </code>
    </Notice>
  );
}
