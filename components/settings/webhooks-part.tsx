import { AddWebhook } from './add-webhook.tsx';
import type { ShownWebhook, WebhookActions } from './webhook-actions.ts';
import { WebhookSection } from './webhook-section.tsx';

/** The webhooks of the installation: each one, and a form for another. */
export function WebhooksPart({ webhooks, actions }: { webhooks: ShownWebhook[]; actions: WebhookActions }) {
  return (
    <section className="cols models" aria-labelledby="webhooks">
      <div className="min-w-0">
        <div className="pane">
          <div className="ph">
            <h2 id="webhooks">Webhooks</h2>
          </div>
          <p className="muted max-w-[70ch]">
            Services of your own that score outputs. An experiment names one in a criterion; Hone posts the output with
            its input, metadata and reference to it, and takes the score it answers. Every request is signed:
            HMAC-SHA256 over <code>timestamp.body</code> by the webhook’s secret, in the header{' '}
            <code>hone-signature</code>, with <code>hone-timestamp</code> and <code>hone-delivery</code> beside it.
          </p>
        </div>
        {webhooks.length === 0 ? (
          <p className="pane muted border-b-0">No webhook yet.</p>
        ) : (
          webhooks.map((webhook) => <WebhookSection key={webhook.name} webhook={webhook} actions={actions} />)
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
