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
    <section className="cols models" aria-labelledby="webhooks">
      <div className="min-w-0">
        <div className="pane">
          <div className="ph">
            <h2 id="webhooks">Webhooks</h2>
          </div>
          <p className="muted max-w-[70ch]">
            Services of your own that score outputs, or decide on runs that wait. An experiment names one in a criterion
            or beside its people; Hone posts the output with its input, metadata and reference to it, and takes the
            score or the decision it answers. Every request is signed: HMAC-SHA256 over <code>timestamp.body</code> by
            the webhook’s secret, in the header <code className="nw">hone-signature</code>, with{' '}
            <code className="nw">hone-timestamp</code> and <code className="nw">hone-delivery</code> beside it; a
            decision must repeat <code>pauseId</code> and <code>delivery</code> of its request and be signed in the same
            way.
          </p>
        </div>
        {webhooks.length === 0 ? (
          <p className="pane muted border-b-0">No webhook yet.</p>
        ) : (
          webhooks.map((webhook) => <WebhookSection key={webhook.name} webhook={webhook} actions={actions} now={now} />)
        )}
      </div>
      <div className="min-w-0">
        <div className="pane border-b-0">
          <div className="ph">
            <h3>Add a webhook</h3>
          </div>
          <AddWebhook add={actions.add} />
        </div>
      </div>
    </section>
  );
}
