import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { AddWebhook } from './add-webhook.tsx';
import type { ShownWebhook, WebhookActions } from './webhook-actions.ts';
import { WebhookSection } from './webhook-section.tsx';

type WebhooksPartProps = {
  webhooks: ShownWebhook[];
  actions: WebhookActions;
  /** The server's. */
  now: string;
};

/** The webhooks of the installation: each one, and a form for another. */
export function WebhooksPart({ webhooks, actions, now }: WebhooksPartProps) {
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_25rem]" aria-labelledby="webhooks">
      <div className="min-w-0">
        <Pane>
          <PaneHeader>
            <h2 id="webhooks">Webhooks</h2>
          </PaneHeader>
          <p className="max-w-[70ch] text-ink-2">
            Services of your own that score outputs, or decide on runs that wait. An experiment names one in a criterion
            or beside its people; Hone posts the output with its input, metadata and reference to it, and takes the
            score or the decision it answers. Every request is signed: HMAC-SHA256 over <code>timestamp.body</code> by
            the webhook’s secret, in the header <code className="whitespace-nowrap">hone-signature</code>, with{' '}
            <code className="whitespace-nowrap">hone-timestamp</code> and{' '}
            <code className="whitespace-nowrap">hone-delivery</code> beside it; a decision must repeat{' '}
            <code>pauseId</code> and <code>delivery</code> of its request and be signed in the same way.
          </p>
        </Pane>
        {webhooks.length === 0 ? (
          <Pane asChild className="border-b-0 text-ink-2">
            <p>No webhook yet.</p>
          </Pane>
        ) : (
          webhooks.map((webhook) => <WebhookSection key={webhook.name} webhook={webhook} actions={actions} now={now} />)
        )}
      </div>
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader>
            <h3>Add a webhook</h3>
          </PaneHeader>
          <AddWebhook add={actions.add} />
        </Pane>
      </div>
    </Columns>
  );
}
