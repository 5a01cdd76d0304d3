import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { retryAfterMs } from '#lib/outgoing/retry-after.ts';
import type { PostOutcome } from './post-once.ts';
import { postSigned, type WebhookTarget } from './post-signed.ts';
import { ABORTED, isWorthAnotherTry, readOutcome, type UnusableKind } from './read-outcome.ts';

/** Times in milliseconds. `backOffMs` holds one wait for each further try. */
export type SendLimits = { timeoutMs: number; backOffMs: readonly number[] };

/** At most three tries of 30 seconds each. */
export const SEND_LIMITS: SendLimits = { timeoutMs: 30_000, backOffMs: [500, 2_000] };
/** A service may ask to be waited for up to this long. */
const LONGEST_WAIT_MS = 10_000;

/** What came of a delivery. `message` says it as the end of "The webhook NAME …", `remedy` what a person can do. */
export type Delivery =
  | { ok: true; json: unknown; attempts: number; latencyMs: number }
  | {
      ok: false;
      kind: UnusableKind | 'not_json';
      message: string;
      remedy: string;
      attempts: number;
      latencyMs: number;
    };

/**
 * Posts a body as JSON to a webhook, signed (see `postSigned`), and reads its answer as JSON. Tries again when it was not reached
 * or answered 429 or 5xx; a time-out is final, since the service may still be at work.
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
    if (wait === undefined || !isWorthAnotherTry(outcome))
      return { ...readJson(outcome, limits), attempts, latencyMs: latencyMs() };
    const asked = outcome.type === 'answered' ? retryAfterMs(outcome.headers, Date.now()) : null;
    await sleep(Math.min(Math.max(wait, asked ?? 0), LONGEST_WAIT_MS), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { ...ABORTED, attempts, latencyMs: latencyMs() };
  }
}

type Read =
  | { ok: true; json: unknown }
  | { ok: false; kind: UnusableKind | 'not_json'; message: string; remedy: string };

function readJson(outcome: PostOutcome, limits: SendLimits): Read {
  const answer = readOutcome(outcome, limits);
  if (!answer.ok) return answer;
  try {
    return { ok: true, json: JSON.parse(answer.text) };
  } catch {
    return {
      ok: false,
      kind: 'not_json',
      message: `answered with status ${answer.status} but not with JSON.`,
      remedy: 'Make the service answer with a JSON object.',
    };
  }
}
