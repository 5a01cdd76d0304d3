import type { AppContext } from '#lib/context/app-context.ts';
import { findWebhook } from './find-webhook.ts';
import type { WebhookTarget } from './post-signed.ts';
import { unsealSecret } from './webhook-view.ts';

/** Where a webhook of a name is posted to, or why it cannot be: `problem` is a sentence for people, `remedy` what to do. */
export async function webhookTarget(
  context: Pick<AppContext, 'database' | 'secret'>,
  name: string,
): Promise<{ ok: true; target: WebhookTarget } | { ok: false; problem: string; remedy: string }> {
  const stored = await findWebhook(context.database, name);
  const shown = `The webhook ${JSON.stringify(name)}`;
  if (stored === null)
    return { ok: false, problem: `${shown} is not there.`, remedy: 'Add it under Settings, or name another one.' };
  const secret = unsealSecret(context, stored);
  if (secret === null)
    return {
      ok: false,
      problem: `${shown} has a secret that was sealed with another key of this installation.`,
      remedy: 'Give it a new secret under Settings.',
    };
  return { ok: true, target: { name, url: stored.url, secret } };
}
