import { AnswerTooLargeError, guardedFetch } from '#lib/outgoing/guarded-fetch.ts';
import { type AddressRules, RefusedAddressError, type Resolve } from '#lib/outgoing/outgoing-address.ts';
import { signBody } from '#lib/outgoing/sign-body.ts';

const MAX_RESPONSE_BYTES = 1_000_000;

/** The outcome of one request: a response with any status, or the reason there is none (`message` is the network error). */
export type PostOutcome =
  | { type: 'answered'; status: number; headers: Record<string, string>; text: string }
  | { type: 'refused_address' | 'unreachable' | 'timed_out' | 'too_large' | 'aborted'; message: string };

/** A webhook's URL and the secret that signs its requests. */
export type WebhookTarget = { name: string; url: string; secret: string };

/**
 * One attempt of a delivery. `id` is the same in all attempts. `body` is JSON. `timeoutMs` covers everything from connecting to the last
 * byte of the response.
 */
type SignedPost = {
  id: string;
  body: string;
  now: Date;
  timeoutMs: number;
  rules: AddressRules;
  signal: AbortSignal;
  resolve?: Resolve | undefined;
};

/**
 * Posts a body to a webhook once. Headers: `hone-delivery` (the delivery's ID), `hone-timestamp` (seconds since 1970) and `hone-signature`
 * (see `signBody`). Follows no redirects, checks the address when connecting, and keeps no connection open.
 */
export async function postSigned(
  { url, secret }: WebhookTarget,
  { id, body, now, timeoutMs, rules, signal, resolve }: SignedPost,
): Promise<PostOutcome> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Hone',
    'hone-delivery': id,
    'hone-timestamp': timestamp,
    'hone-signature': signBody(secret, timestamp, body),
  };
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const post = guardedFetch({ rules, resolve, maxBytes: MAX_RESPONSE_BYTES });
    const response = await post(url, { method: 'POST', headers, body, signal: AbortSignal.any([signal, limit]) });
    const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
    return { type: 'answered', status: response.status, headers: Object.fromEntries(response.headers), text };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof RefusedAddressError) return { type: 'refused_address', message };
    if (error instanceof AnswerTooLargeError) return { type: 'too_large', message };
    if (signal.aborted) return { type: 'aborted', message: 'it was canceled' };
    if (limit.aborted) return { type: 'timed_out', message: 'it took too long' };
    return { type: 'unreachable', message: message || 'the connection failed' };
  }
}

export type UnusableKind = Exclude<PostOutcome['type'], 'answered'> | 'status' | 'redirect';

/** The reason an attempt failed. `message` completes "The webhook NAME …", `remedy` is the recommended action. */
type Unusable = { ok: false; kind: UnusableKind; message: string; remedy: string };

/** A response with a status from 200 to 299, whose body is not parsed yet. */
export type Usable = { ok: true; status: number; headers: Record<string, string>; text: string };

function unusable(kind: UnusableKind, message: string, remedy: string): Unusable {
  return { ok: false, kind, message, remedy };
}

export const ABORTED = unusable('aborted', 'did not respond before the call was canceled.', '');

/** Returns the usable response of an attempt, or a description of the failure. */
export function readOutcome(outcome: PostOutcome, { timeoutMs }: { timeoutMs: number }): Usable | Unusable {
  switch (outcome.type) {
    case 'answered':
      return readStatus(outcome);
    case 'refused_address':
      return unusable(
        'refused_address',
        `was not called: its address ${outcome.message}.`,
        'Change its URL in Settings > Webhooks and tools.',
      );
    case 'unreachable':
      return unusable(
        'unreachable',
        `could not be reached: ${outcome.message}.`,
        'Check that the service runs and that the URL is right.',
      );
    case 'timed_out':
      return unusable(
        'timed_out',
        `sent no complete response within ${timeoutMs / 1000} seconds.`,
        'Make the service answer faster.',
      );
    case 'too_large':
      return unusable(
        'too_large',
        'responded with more than 1 MB.',
        'Make the service answer with a short JSON object.',
      );
    case 'aborted':
      return ABORTED;
  }
}

/** Returns true if a retry may succeed: the service was unreachable, overloaded or failed. */
export function isRetryable(outcome: PostOutcome): boolean {
  if (outcome.type === 'answered') return outcome.status === 429 || outcome.status >= 500;
  return outcome.type === 'unreachable';
}

function readStatus({ status, headers, text }: Extract<PostOutcome, { type: 'answered' }>): Usable | Unusable {
  if (status >= 300 && status < 400)
    return unusable(
      'redirect',
      `responded with a redirect (${status}), which is not followed.`,
      `If you trust the new address, enter it as the URL${headers.location === undefined ? '' : `: ${headers.location.slice(0, 200)}`}.`,
    );
  if (status < 200 || status >= 300) return unusable('status', `responded with status ${status}.`, remedyFor(status));
  return { ok: true, status, headers, text };
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return 'Check that the service uses the current secret of the webhook.';
  if (status === 404 || status === 405) return 'Check the path of the URL. The service must accept POST.';
  if (status === 429) return 'The service is busy. Try again later.';
  return 'Check the log of the service.';
}
