import type { AppContext } from '#lib/context/app-context.ts';
import type { ValidateOutcome, ValidatorRequest } from '#lib/evaluators/validate.ts';
import { postToWebhook } from './post-to-webhook.ts';
import type { SendLimits } from './send-webhook.ts';

/** Asks the webhook of a name to score an output; `run` is its run, null outside of one. */
export type WebhookValidator = (
  webhook: string,
  request: ValidatorRequest & { run: string | null },
  signal: AbortSignal,
) => Promise<ValidateOutcome>;

/** Asks the installation's webhooks. */
export function webhookValidator(
  context: Pick<AppContext, 'database' | 'secret' | 'addresses'>,
  limits?: SendLimits,
): WebhookValidator {
  return async (webhook, request, signal) => {
    const options = limits === undefined ? { signal } : { signal, limits };
    const posted = await postToWebhook(context, webhook, request, options);
    if (posted.ok) return { ok: true, json: posted.json, durationMs: posted.latencyMs };
    const { problem, remedy, delivery } = posted;
    return {
      ok: false,
      problem: `${problem} ${remedy}`.trim(),
      aborted: delivery?.kind === 'aborted',
      durationMs: delivery?.latencyMs ?? 0,
    };
  };
}
