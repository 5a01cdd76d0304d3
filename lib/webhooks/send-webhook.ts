import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ValidateOutcome, ValidatorRequest } from '#lib/evaluators/evaluator.ts';
import { retryAfterMs } from '#lib/outgoing/guarded-fetch.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import {
  ABORTED,
  isRetryable,
  type PostOutcome,
  postSigned,
  readOutcome,
  type UnusableKind,
  type WebhookTarget,
} from './post-signed.ts';
import { findWebhook, unsealSecret } from './queries.ts';

/** Times in milliseconds. `backOffMs` contains one delay for each retry. */
type SendLimits = { timeoutMs: number; backOffMs: readonly number[] };

/** Limits: at most three attempts of 30 seconds each. */
export const SEND_LIMITS: SendLimits = { timeoutMs: 30_000, backOffMs: [500, 2_000] };
/** Maximum delay that a service may request, in milliseconds. */
const MAX_RETRY_DELAY_MS = 10_000;

/** The JSON of a response, or the reason there is none. `message` completes "The webhook NAME …", `remedy` is the recommended action. */
type Read =
  | { ok: true; json: unknown }
  | { ok: false; kind: UnusableKind | 'not_json'; message: string; remedy: string };

/** The result of a delivery. */
export type Delivery = Read & { attempts: number; latencyMs: number };

/**
 * Posts a body as JSON to a webhook, signed (see `postSigned`), and parses its response as JSON. Retries if the webhook was unreachable or
 * answered 429 or 5xx. Does not retry after a timeout, because the service may still be working.
 */
export async function sendWebhook(
  target: WebhookTarget,
  body: unknown,
  options: { rules: AddressRules; signal: AbortSignal; limits?: SendLimits; resolve?: Resolve },
): Promise<Delivery> {
  const { rules, signal, limits = SEND_LIMITS, resolve } = options;
  const post = { id: randomUUID(), body: JSON.stringify(body), timeoutMs: limits.timeoutMs, rules, signal, resolve };
  const startedAt = performance.now();
  for (let attempts = 1; ; attempts++) {
    const outcome = await postSigned(target, { ...post, now: new Date() });
    const wait = limits.backOffMs[attempts - 1];
    const latencyMs = () => Math.round(performance.now() - startedAt);
    if (wait === undefined || !isRetryable(outcome))
      return { ...readJson(outcome, limits), attempts, latencyMs: latencyMs() };
    const retryMs = outcome.type === 'answered' ? retryAfterMs(outcome.headers, Date.now()) : null;
    await sleep(Math.min(Math.max(wait, retryMs ?? 0), MAX_RETRY_DELAY_MS), undefined, { signal }).catch(
      () => undefined,
    );
    if (signal.aborted) return { ...ABORTED, attempts, latencyMs: latencyMs() };
  }
}

function readJson(outcome: PostOutcome, limits: SendLimits): Read {
  const answer = readOutcome(outcome, limits);
  if (!answer.ok) return answer;
  try {
    return { ok: true, json: JSON.parse(answer.text) };
  } catch {
    return {
      ok: false,
      kind: 'not_json',
      message: `responded with status ${answer.status} but not with JSON.`,
      remedy: 'Make the service answer with a JSON object.',
    };
  }
}

/**
 * Returns the URL and secret of a webhook by name, or the reason there are none: `problem` is a sentence for people, `remedy` the
 * recommended action.
 */
export async function webhookTarget(
  context: Pick<AppContext, 'database' | 'secret'>,
  name: string,
): Promise<{ ok: true; target: WebhookTarget } | { ok: false; problem: string; remedy: string }> {
  const stored = await findWebhook(context.database, name);
  const shown = `The webhook ${JSON.stringify(name)}`;
  if (stored === null)
    return { ok: false, problem: `${shown} does not exist.`, remedy: 'Add it under Settings, or name another one.' };
  const secret = unsealSecret(context, stored);
  if (secret === null)
    return {
      ok: false,
      problem: `${shown} has a secret that was encrypted with another secret of this installation.`,
      remedy: 'Give it a new secret under Settings.',
    };
  return { ok: true, target: { name, url: stored.url, secret } };
}

/** The result of a post to a webhook by name. `delivery` is null if there is no such webhook. `problem` is a sentence for people. */
type Posted =
  | { ok: true; json: unknown; latencyMs: number }
  | { ok: false; problem: string; remedy: string; delivery: Extract<Delivery, { ok: false }> | null };

/** Posts a body to a webhook by name, signed with its secret. */
export async function postToWebhook(
  context: Pick<AppContext, 'database' | 'secret' | 'addresses'>,
  name: string,
  body: unknown,
  options: { signal: AbortSignal; limits?: SendLimits },
): Promise<Posted> {
  const found = await webhookTarget(context, name);
  if (!found.ok) return { ...found, delivery: null };
  const delivery = await sendWebhook(found.target, body, { rules: context.addresses, ...options });
  if (delivery.ok) return { ok: true, json: delivery.json, latencyMs: delivery.latencyMs };
  const times = delivery.attempts > 1 ? ` Tried ${delivery.attempts} times.` : '';
  const problem = `The webhook ${JSON.stringify(name)} ${delivery.message}${times}`;
  return { ok: false, problem, remedy: delivery.remedy, delivery };
}

/** Requests a score for an output from a webhook by name. `run` is null outside a run. */
export type WebhookValidator = (
  webhook: string,
  request: ValidatorRequest & { run: string | null },
  signal: AbortSignal,
) => Promise<ValidateOutcome>;

/** Returns a validator that calls the installation's webhooks. */
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
