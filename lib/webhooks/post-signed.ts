import http from 'node:http';
import https from 'node:https';
import {
  type AddressRules,
  guardedLookup,
  RefusedAddressError,
  type Resolve,
  urlProblem,
} from '#lib/outgoing/outgoing-address.ts';
import { signBody } from '#lib/outgoing/sign-body.ts';

/** Maximum size of a response, in bytes. */
const MAX_RESPONSE_BYTES = 1_000_000;

/** One POST request. `body` is JSON. `timeoutMs` covers everything from connecting to the last byte of the response. */
type Post = {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  rules: AddressRules;
  signal: AbortSignal;
  resolve?: Resolve;
};

/** The outcome of one request: a response with any status, or the reason there is none (`message` is the network error). */
export type PostOutcome =
  | { type: 'answered'; status: number; headers: Record<string, string>; text: string }
  | { type: 'refused_address' | 'unreachable' | 'timed_out' | 'too_large' | 'aborted'; message: string };

/** Sends one POST request. Follows no redirects, checks the address when connecting, and keeps no connection open. */
function postOnce(post: Post): Promise<PostOutcome> {
  const problem = urlProblem(post.url, post.rules);
  if (problem !== null) return Promise.resolve({ type: 'refused_address', message: problem });
  return new Promise((settle) => {
    const url = new URL(post.url);
    const give = (outcome: PostOutcome) => {
      clearTimeout(timer);
      post.signal.removeEventListener('abort', abort);
      settle(outcome);
      request.destroy();
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: false,
      headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
      lookup: guardedLookup(url, post.rules, post.resolve),
    });
    const abort = () => give({ type: 'aborted', message: 'it was canceled' });
    const timer = setTimeout(() => give({ type: 'timed_out', message: 'it took too long' }), post.timeoutMs);
    request.on('error', (error) => give(failureOf(error)));
    request.on('response', (response) => readAnswer(response, give));
    if (post.signal.aborted) return abort();
    post.signal.addEventListener('abort', abort);
    request.end(post.body);
  });
}

function readAnswer(response: http.IncomingMessage, give: (outcome: PostOutcome) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) return give({ type: 'too_large', message: 'the response is larger than 1 MB' });
    chunks.push(chunk);
  });
  response.on('error', (error) => give(failureOf(error)));
  response.on('end', () =>
    give({
      type: 'answered',
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      ),
      text: Buffer.concat(chunks).toString('utf8'),
    }),
  );
}

function failureOf(error: Error): PostOutcome {
  // If Node tried several addresses, it throws an AggregateError without a message that contains one error for each.
  const causes = error instanceof AggregateError ? error.errors : [error];
  const refused = causes.find((cause) => cause instanceof RefusedAddressError);
  if (refused !== undefined) return { type: 'refused_address', message: refused.message };
  const messages = causes.flatMap((cause) => (cause instanceof Error ? [cause.message] : []));
  return { type: 'unreachable', message: messages.join('; ') || 'the connection failed' };
}

/** A webhook's URL and the secret that signs its requests. */
export type WebhookTarget = { name: string; url: string; secret: string };

/** One attempt of a delivery. `id` is the same in all attempts. `body` is JSON. */
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
 * (see `signBody`).
 */
export function postSigned(target: WebhookTarget, post: SignedPost): Promise<PostOutcome> {
  const { id, body, now, timeoutMs, rules, signal, resolve } = post;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return postOnce({
    url: target.url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Hone',
      'hone-delivery': id,
      'hone-timestamp': timestamp,
      'hone-signature': signBody(target.secret, timestamp, body),
    },
    body,
    timeoutMs,
    rules,
    signal,
    ...(resolve === undefined ? {} : { resolve }),
  });
}

export type UnusableKind =
  | 'refused_address'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'status'
  | 'redirect'
  | 'aborted';

/** The reason an attempt failed. `message` completes "The webhook NAME …", `remedy` is the recommended action. */
type Unusable = { ok: false; kind: UnusableKind; message: string; remedy: string };

/** A response with a status from 200 to 299, whose body is not parsed yet. */
export type Usable = { ok: true; status: number; headers: Record<string, string>; text: string };

export const ABORTED: Unusable = {
  ok: false,
  kind: 'aborted',
  message: 'did not respond before the call was canceled.',
  remedy: '',
};

/** Returns the usable response of an attempt, or a description of the failure. */
export function readOutcome(outcome: PostOutcome, { timeoutMs }: { timeoutMs: number }): Usable | Unusable {
  switch (outcome.type) {
    case 'answered':
      return readStatus(outcome);
    case 'refused_address':
      return {
        ok: false,
        kind: 'refused_address',
        message: `was not called: its address ${outcome.message}.`,
        remedy: 'Change its URL in Settings > Webhooks and tools.',
      };
    case 'unreachable':
      return {
        ok: false,
        kind: 'unreachable',
        message: `could not be reached: ${outcome.message}.`,
        remedy: 'Check that the service runs and that the URL is right.',
      };
    case 'timed_out':
      return {
        ok: false,
        kind: 'timed_out',
        message: `sent no complete response within ${timeoutMs / 1000} seconds.`,
        remedy: 'Make the service answer faster.',
      };
    case 'too_large':
      return {
        ok: false,
        kind: 'too_large',
        message: 'responded with more than 1 MB.',
        remedy: 'Make the service answer with a short JSON object.',
      };
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
    return {
      ok: false,
      kind: 'redirect',
      message: `responded with a redirect (${status}), which is not followed.`,
      remedy: `If you trust the new address, enter it as the URL${headers.location === undefined ? '' : `: ${headers.location.slice(0, 200)}`}.`,
    };
  if (status < 200 || status >= 300)
    return { ok: false, kind: 'status', message: `responded with status ${status}.`, remedy: remedyFor(status) };
  return { ok: true, status, headers, text };
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return 'Check that the service uses the current secret of the webhook.';
  if (status === 404 || status === 405) return 'Check the path of the URL. The service must accept POST.';
  if (status === 429) return 'The service is busy. Try again later.';
  return 'Check the log of the service.';
}
