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
    const abort = () => give({ type: 'aborted', message: 'it was broken off' });
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
    if (bytes > MAX_RESPONSE_BYTES) return give({ type: 'too_large', message: 'the answer is larger than 1 MB' });
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
