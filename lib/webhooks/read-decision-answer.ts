import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#lib/core/json-values.ts';
import { signBody } from '#lib/outgoing/sign-body.ts';
import type { Usable } from './post-signed.ts';

/** Maximum clock difference of a service, in seconds. An older response is rejected. */
const CLOCK_SECONDS = 300;

/**
 * A webhook's response to a pause: an unvalidated decision, a decline, or the reason the response was rejected, which completes "The
 * webhook NAME …".
 */
type DecisionAnswer =
  | { type: 'decision'; input: Record<string, unknown> }
  | { type: 'declined' }
  | { type: 'refused'; problem: string };

/** The pause to decide and the delivery that requests the decision. */
export type DecisionRequest = { pauseId: string; delivery: string };

const objectSchema = z.record(z.string(), z.unknown());

/**
 * Parses a response that must be signed like the requests: `hone-timestamp`, and `hone-signature` over `timestamp.body`. The signed body
 * must repeat the `pauseId` and the `delivery` of the request, so that it cannot be replayed for another one. Both are left out of the
 * result. Only status 204, which declines, needs neither.
 */
export function readDecisionAnswer(
  { status, headers, text }: Pick<Usable, 'status' | 'headers' | 'text'>,
  { secret, request, now }: { secret: string; request: DecisionRequest; now: Date },
): DecisionAnswer {
  if (status === 204) return { type: 'declined' };
  const problem = signatureProblem(headers, text, secret, now);
  if (problem !== null) return { type: 'refused', problem };
  const parsed = objectSchema.safeParse(parseJson(text));
  if (!parsed.success) return { type: 'refused', problem: 'did not respond with a JSON object.' };
  const { pauseId, delivery, ...input } = parsed.data;
  const mismatch = bindingProblem({ pauseId, delivery }, request);
  if (mismatch !== null) return { type: 'refused', problem: mismatch };
  return input.decision === null ? { type: 'declined' } : { type: 'decision', input };
}

const COPY = 'Copy pauseId and delivery from the request body into the response before signing it.';

function bindingProblem(named: Record<keyof DecisionRequest, unknown>, request: DecisionRequest): string | null {
  const missing = (['pauseId', 'delivery'] as const).filter((field) => typeof named[field] !== 'string');
  if (missing.length > 0) return `responded without ${missing.join(' and ')}. ${COPY}`;
  if (named.pauseId !== request.pauseId)
    return `responded for another pause: the pauseId is not the one in the request. ${COPY}`;
  if (named.delivery !== request.delivery)
    return `responded for another delivery: the delivery is not the one in the request. ${COPY}`;
  return null;
}

function signatureProblem(headers: Record<string, string>, text: string, secret: string, now: Date): string | null {
  const timestamp = headers['hone-timestamp'] ?? '';
  const signature = headers['hone-signature'] ?? '';
  if (timestamp === '' || signature === '')
    return 'did not sign its response: the headers hone-timestamp and hone-signature are required.';
  if (!/^\d{1,12}$/.test(timestamp)) return 'sent a hone-timestamp that is not a number of seconds since 1970.';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > CLOCK_SECONDS)
    return 'sent a hone-timestamp that is more than 5 minutes from now. Check its clock.';
  const expected = Buffer.from(signBody(secret, timestamp, text));
  const given = Buffer.from(signature.toLowerCase());
  if (given.length === expected.length && timingSafeEqual(given, expected)) return null;
  return 'sent a hone-signature that does not match its response. Check that it uses the current secret of the webhook.';
}
