import type { AppContext } from '#lib/context/app-context.ts';
import { formatMoment } from '#lib/format.ts';
import { getLog } from '#lib/log/log.ts';
import { retryAfterMs } from '#lib/outgoing/guarded-fetch.ts';
import type { Resolve } from '#lib/outgoing/outgoing-address.ts';
import { decideAs } from '#lib/runs/decide.ts';
import { findPauseDecision, type PauseDecision } from '#lib/runs/queries.ts';
import {
  isRetryable,
  type PostOutcome,
  postSigned,
  readOutcome,
  type WebhookTarget,
} from '#lib/webhooks/post-signed.ts';
import { type ClaimedDelivery, claimDeliveries, type Settled, settleDelivery } from '#lib/webhooks/queries.ts';
import { readDecisionAnswer } from '#lib/webhooks/read-decision-answer.ts';
import { webhookTarget } from '#lib/webhooks/send-webhook.ts';

/** Maximum number of deliveries this process sends concurrently. */
const MAX_IN_FLIGHT = 8;
/** Maximum number of deliveries of one webhook that this process sends concurrently, so that a slow one does not block others. */
const MAX_PER_WEBHOOK = 4;

type WebhookDeliverer = {
  /** Claims the due deliveries and starts sending them. */
  look(): Promise<void>;
  /** Waits until nothing is in flight. */
  idle(): Promise<void>;
  /** Aborts the deliveries in flight, so that they are sent again later, and claims no more. */
  close(): Promise<void>;
};

/**
 * Returns a sender for the deliveries of pauses, from any process. Each delivery is in flight only once, also with other workers. One that
 * a killed process had started is sent again with the same ID when its lease expires.
 */
export function webhookDeliverer(
  context: AppContext,
  options: {
    limits?: DeliveryLimits;
    resolve?: Resolve;
    processId?: string | null;
    onError?: (error: unknown) => void;
  } = {},
): WebhookDeliverer {
  const {
    limits = DELIVERY_LIMITS,
    resolve,
    processId = null,
    onError = (error) => getLog().error('webhooks', error),
  } = options;
  const stopping = new AbortController();
  const inFlight = new Map<string, { webhook: string; done: Promise<void> }>();
  let looking: Promise<void> | null = null;

  async function takeDue(): Promise<void> {
    for (;;) {
      const counts = Map.groupBy(inFlight.values(), ({ webhook }) => webhook);
      const busy = [...counts].filter(([, sending]) => sending.length >= MAX_PER_WEBHOOK).map(([webhook]) => webhook);
      // All deliveries that are claimed at once may belong to the webhook with the most in flight.
      const most = Math.max(0, ...[...counts.values()].map(({ length }) => length).filter((n) => n < MAX_PER_WEBHOOK));
      const free = Math.min(MAX_PER_WEBHOOK - most, MAX_IN_FLIGHT - inFlight.size);
      if (free <= 0 || stopping.signal.aborted) return;
      const due = { most: free, leaseMs: limits.leaseMs, except: busy, processId };
      const claimed = await claimDeliveries(context.database, due);
      for (const delivery of claimed) begin(delivery);
      if (claimed.length < free) return;
    }
  }

  function begin(delivery: ClaimedDelivery): void {
    // The lease expired while this process is still sending. Its result is not stored, so the delivery is due again.
    if (inFlight.has(delivery.id)) return;
    // A delivery that fails with a database error keeps its lease and is claimed again after it.
    const done = deliver(context, delivery, { limits, resolve, signal: stopping.signal })
      .catch(onError)
      .finally(() => inFlight.delete(delivery.id));
    inFlight.set(delivery.id, { webhook: delivery.webhook, done });
  }

  const idle = async () => {
    while (inFlight.size > 0) await Promise.all([...inFlight.values()].map(({ done }) => done));
  };

  return {
    look() {
      looking ??= takeDue().finally(() => {
        looking = null;
      });
      return looking;
    },
    idle,
    async close() {
      stopping.abort();
      // The caller of `look` receives its failure.
      await looking?.catch(() => undefined);
      await idle();
    },
  };
}

/** Times in milliseconds. `backOffMs` contains one delay for each retry. `leaseMs` must be longer than an attempt can take. */
export type DeliveryLimits = { timeoutMs: number; backOffMs: readonly number[]; leaseMs: number };

/** Limits: five attempts of 30 seconds each, within about ten minutes. */
const DELIVERY_LIMITS: DeliveryLimits = {
  timeoutMs: 30_000,
  backOffMs: [5_000, 30_000, 120_000, 300_000],
  leaseMs: 60_000,
};
/** Maximum delay that a service may request, in milliseconds. */
const MAX_RETRY_DELAY_MS = 600_000;

type Options = { limits: DeliveryLimits; resolve: Resolve | undefined; signal: AbortSignal };

/** Sends a delivery once, applies the decision in its response, and stores the result. Never throws for errors of the service. */
async function deliver(context: AppContext, claimed: ClaimedDelivery, options: Options): Promise<void> {
  await settleDelivery(context.database, claimed, await attemptDelivery(context, claimed, options));
}

async function attemptDelivery(context: AppContext, claimed: ClaimedDelivery, options: Options): Promise<Settled> {
  if (!claimed.isOpen) return formatEndedPause(claimed, await findPauseDecision(context.database, claimed.pauseId));
  if (claimed.tries > options.limits.backOffMs.length + 1)
    return ended({ isTried: false, state: 'failed', error: 'Hone stopped during the last try.' });
  const found = await webhookTarget(context, claimed.webhook);
  if (!found.ok) return ended({ isTried: false, state: 'failed', error: `${found.problem} ${found.remedy}` });
  const startedAt = performance.now();
  const outcome = await postSigned(found.target, {
    id: claimed.id,
    body: withDelivery(claimed),
    now: context.now(),
    timeoutMs: options.limits.timeoutMs,
    rules: context.addresses,
    signal: options.signal,
    resolve: options.resolve,
  });
  const settled = await settledBy(context, claimed, found.target, outcome, options.limits);
  return { ...settled, ...responseOf(outcome), durationMs: performance.now() - startedAt };
}

/** Returns the stored body. A body from before requests contained their delivery gets its ID, which the response must repeat. */
function withDelivery({ id, requestBody }: ClaimedDelivery): string {
  const body: object = JSON.parse(requestBody);
  return 'delivery' in body ? requestBody : JSON.stringify({ ...body, delivery: id });
}

async function settledBy(
  context: AppContext,
  claimed: ClaimedDelivery,
  { secret }: WebhookTarget,
  outcome: PostOutcome,
  limits: DeliveryLimits,
): Promise<Settled> {
  // The app is stopping. This does not count as an attempt, and the next worker may start immediately.
  if (outcome.type === 'aborted') return ended({ state: 'waiting', waitMs: 0, isTried: false });
  const usable = readOutcome(outcome, limits);
  const shown = `The webhook ${JSON.stringify(claimed.webhook)}`;
  if (!usable.ok) {
    const error = `${shown} ${usable.message} ${usable.remedy}`;
    const wait = limits.backOffMs[claimed.tries - 1];
    if (wait !== undefined && (outcome.type === 'timed_out' || isRetryable(outcome)))
      return ended({ state: 'waiting', waitMs: waitFor(wait, outcome, context.now()), error });
    const times = claimed.tries > 1 ? ` after ${claimed.tries} tries` : '';
    return ended({ state: 'failed', error, outcome: `Gave up${times}. The run is still waiting.` });
  }
  const request = { pauseId: claimed.pauseId, delivery: claimed.id };
  const answer = readDecisionAnswer(usable, { secret, request, now: context.now() });
  switch (answer.type) {
    case 'declined':
      return ended({ state: 'declined', outcome: 'The webhook does not decide. The run is still waiting.' });
    case 'refused':
      return refused(`${shown} ${answer.problem}`);
    case 'decision':
      return decided(context, claimed, answer.input, limits);
  }
}

async function decided(
  context: AppContext,
  claimed: ClaimedDelivery,
  input: Record<string, unknown>,
  limits: DeliveryLimits,
): Promise<Settled> {
  const { webhook, runId, pauseId, tries } = claimed;
  const result = await decideAs(context, { by: 'webhook', name: webhook }, runId, { ...input, pauseId });
  if (result.ok) return ended({ state: 'decided', outcome: `Taken: ${wordsOf(result.value.decision)}.` });
  const { code, field, message } = result.problem;
  // The pause had ended when the response arrived, by another decision or by this same response before a crash.
  if (code === 'conflict' && field === 'pauseId') {
    const made = await findPauseDecision(context.database, pauseId);
    return isOwn(made, webhook)
      ? { ...formatEndedPause(claimed, made), isTried: true }
      : ended({ state: 'late', outcome: lateLabel(made, message) });
  }
  const wait = limits.backOffMs[tries - 1];
  if (code === 'unavailable' && wait !== undefined) return ended({ state: 'waiting', waitMs: wait, error: message });
  return refused(`The answer was rejected: ${message}`);
}

/** Returns the result of a delivery whose pause ended before it could be sent, or sent again. */
function formatEndedPause(claimed: ClaimedDelivery, made: PauseDecision | null): Settled {
  if (isOwn(made, claimed.webhook))
    return ended({ isTried: false, state: 'decided', outcome: `Taken: ${wordsOf(made)}.` });
  const how = made === null ? 'The run is no longer waiting at this pause' : `${deciderLabel(made)} first`;
  return ended({ isTried: false, state: 'dropped', outcome: `Not sent${claimed.tries > 1 ? ' again' : ''}. ${how}.` });
}

function isOwn(made: PauseDecision | null, webhook: string): made is PauseDecision {
  return made !== null && made.by === 'webhook' && made.actor === webhook;
}

function lateLabel(made: PauseDecision | null, message: string): string {
  return made === null ? `Not taken. ${message}` : `Answered after ${deciderLabel(made)}. Not taken.`;
}

/** Returns a text such as "Ada decided (accept of version 0, 22 Nov 2026, 10:04)". */
function deciderLabel(made: PauseDecision): string {
  const who = made.by === 'timeout' ? 'its timeout' : (made.actor ?? made.by);
  return `${who} decided (${wordsOf(made)}, ${formatMoment(made.at)})`;
}

function wordsOf({ decision, version }: Pick<PauseDecision, 'decision' | 'version'>): string {
  const isOnTools = decision === 'allow' || decision === 'refuse';
  return version === null || isOnTools ? decision : `${decision} of version ${version}`;
}

function refused(error: string): Settled {
  return ended({ state: 'refused', error, outcome: 'The answer was rejected. The run is still waiting.' });
}

function waitFor(wait: number, outcome: PostOutcome, now: Date): number {
  const retryMs = outcome.type === 'answered' ? retryAfterMs(outcome.headers, now.getTime()) : null;
  return Math.min(Math.max(wait, retryMs ?? 0), MAX_RETRY_DELAY_MS);
}

function responseOf(outcome: PostOutcome): Pick<Settled, 'responseStatus' | 'response'> {
  return outcome.type === 'answered'
    ? { responseStatus: outcome.status, response: outcome.text }
    : { responseStatus: null, response: null };
}

/** Returns a result with default values for the omitted fields. */
function ended(settled: Partial<Settled> & Pick<Settled, 'state'>): Settled {
  return {
    waitMs: null,
    isTried: true,
    responseStatus: null,
    response: null,
    error: null,
    outcome: null,
    durationMs: null,
    ...settled,
  };
}
