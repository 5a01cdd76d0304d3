import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterMs } from '#lib/models/retry-after.ts';
import type { AddressRules, Resolve } from './outgoing-address.ts';
import { type PostOutcome, postOnce } from './post-once.ts';
import { signBody } from './sign-body.ts';

/** Where to, and with which secret it is signed. */
export type WebhookTarget = { name: string; url: string; secret: string };

/** Times in milliseconds. `backOffMs` holds one wait for each further try. */
export type SendLimits = { timeoutMs: number; backOffMs: readonly number[] };

/** At most three tries of 30 seconds each. */
export const SEND_LIMITS: SendLimits = { timeoutMs: 30_000, backOffMs: [500, 2_000] };
/** A service may ask to be waited for up to this long. */
const LONGEST_WAIT_MS = 10_000;

export type DeliveryFailure =
  | 'refused_address'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'status'
  | 'redirect'
  | 'not_json'
  | 'aborted';
/** What came of a delivery. `message` says it as the end of "The webhook NAME …", `remedy` what a person can do. */
export type Delivery =
  | { ok: true; json: unknown; attempts: number; latencyMs: number }
  | { ok: false; kind: DeliveryFailure; message: string; remedy: string; attempts: number; latencyMs: number };

/**
 * Posts a body as JSON to a webhook and reads its answer as JSON. Headers: `hone-delivery` (an id, the same in all tries of one
 * delivery), `hone-timestamp` (seconds since 1970) and `hone-signature` (see `signBody`). Tries again when it was not reached or
 * answered 429 or 5xx; a time-out is final, since the service may still be at work.
 */
export async function sendWebhook(
  target: WebhookTarget,
  body: unknown,
  options: { rules: AddressRules; signal: AbortSignal; limits?: SendLimits; resolve?: Resolve },
): Promise<Delivery> {
  const { rules, signal, limits = SEND_LIMITS, resolve } = options;
  const text = JSON.stringify(body);
  const delivery = randomUUID();
  const startedAt = performance.now();
  for (let attempts = 1; ; attempts++) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const outcome = await postOnce({
      url: target.url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Hone',
        'hone-delivery': delivery,
        'hone-timestamp': timestamp,
        'hone-signature': signBody(target.secret, timestamp, text),
      },
      body: text,
      timeoutMs: limits.timeoutMs,
      rules,
      signal,
      ...(resolve === undefined ? {} : { resolve }),
    });
    const wait = limits.backOffMs[attempts - 1];
    const latencyMs = () => Math.round(performance.now() - startedAt);
    if (wait === undefined || !isWorthAnotherTry(outcome))
      return { ...readOutcome(outcome, limits), attempts, latencyMs: latencyMs() };
    const asked = outcome.type === 'answered' ? retryAfterMs(outcome.headers, Date.now()) : null;
    await sleep(Math.min(Math.max(wait, asked ?? 0), LONGEST_WAIT_MS), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { ok: false, ...ABORTED, attempts, latencyMs: latencyMs() };
  }
}

const ABORTED = { kind: 'aborted', message: 'was not waited for: the call was broken off.', remedy: '' } as const;

function isWorthAnotherTry(outcome: PostOutcome): boolean {
  if (outcome.type === 'answered') return outcome.status === 429 || outcome.status >= 500;
  return outcome.type === 'unreachable';
}

type Read = { ok: true; json: unknown } | { ok: false; kind: DeliveryFailure; message: string; remedy: string };

function readOutcome(outcome: PostOutcome, { timeoutMs }: SendLimits): Read {
  switch (outcome.type) {
    case 'answered':
      return readAnswer(outcome);
    case 'refused_address':
      return {
        ok: false,
        kind: 'refused_address',
        message: `is not posted to: its address ${outcome.message}.`,
        remedy: 'Change its address under Settings.',
      };
    case 'unreachable':
      return {
        ok: false,
        kind: 'unreachable',
        message: `could not be reached: ${outcome.message}.`,
        remedy: 'Check that the service runs and that its address is right.',
      };
    case 'timed_out':
      return {
        ok: false,
        kind: 'timed_out',
        message: `gave no whole answer within ${timeoutMs / 1000} seconds.`,
        remedy: 'Make the service answer faster.',
      };
    case 'too_large':
      return {
        ok: false,
        kind: 'too_large',
        message: 'answered with more than 1 MB.',
        remedy: 'Make the service answer with a short JSON object.',
      };
    case 'aborted':
      return { ok: false, ...ABORTED };
  }
}

function readAnswer({ status, headers, text }: Extract<PostOutcome, { type: 'answered' }>): Read {
  if (status >= 300 && status < 400)
    return {
      ok: false,
      kind: 'redirect',
      message: `answered with a redirect (${status}), which is not followed.`,
      remedy: `Enter the address it leads to${headers.location === undefined ? '' : `, if you trust it: ${headers.location.slice(0, 200)}`}.`,
    };
  if (status < 200 || status >= 300)
    return { ok: false, kind: 'status', message: `answered with status ${status}.`, remedy: remedyFor(status) };
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch {
    return {
      ok: false,
      kind: 'not_json',
      message: `answered with status ${status} but not with JSON.`,
      remedy: 'Make the service answer with a JSON object.',
    };
  }
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return 'Check that the service has the webhook’s present secret.';
  if (status === 404 || status === 405) return 'Check the path of its address: it must take POST.';
  if (status === 429) return 'The service has too much to do: try again later.';
  return status >= 500 ? 'Look into the service’s own log.' : 'Look at what the service says about the request.';
}
