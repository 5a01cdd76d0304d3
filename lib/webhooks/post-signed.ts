import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { type PostOutcome, postOnce } from './post-once.ts';
import { signBody } from './sign-body.ts';

/** Where to, and with which secret it is signed. */
export type WebhookTarget = { name: string; url: string; secret: string };

/** One try of a delivery; `id` is the same in all of them. `body` is JSON. */
export type SignedPost = {
  id: string;
  body: string;
  now: Date;
  timeoutMs: number;
  rules: AddressRules;
  signal: AbortSignal;
  resolve?: Resolve | undefined;
};

/**
 * Posts a body to a webhook once. Headers: `hone-delivery` (the delivery's id), `hone-timestamp` (seconds since 1970) and
 * `hone-signature` (see `signBody`).
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
