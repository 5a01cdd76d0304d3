import type { AppContext } from '#lib/context/app-context.ts';
import { getLog } from '#lib/log/log.ts';
import type { Resolve } from '#lib/outgoing/outgoing-address.ts';
import { type TakenDelivery, takeDeliveries } from '#lib/webhooks/webhook-deliveries.ts';
import { DELIVERY_LIMITS, type DeliveryLimits, deliver } from './deliver.ts';

/** How many deliveries this process sends at the same time. */
const MOST_IN_FLIGHT = 8;
/** Taken at once at most, and in flight to one webhook when it gets no more: a slow one leaves room for others. */
const MOST_OF_ONE = 4;

export type WebhookDeliverer = {
  /** Takes what is due and begins to send it. */
  look(): Promise<void>;
  /** Waits until nothing is in flight. */
  idle(): Promise<void>;
  /** Breaks off what is in flight, so that it is sent again later, and takes nothing more. */
  close(): Promise<void>;
};

/**
 * Sends the deliveries that pauses left behind, wherever their run was performed. Beside other workers each is in flight once; what
 * a killed one had begun is sent again, under the same id, when its lease is over.
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
      const free = Math.min(MOST_OF_ONE, MOST_IN_FLIGHT - inFlight.size);
      if (free <= 0 || stopping.signal.aborted) return;
      const named = [...inFlight.values()].map(({ webhook }) => webhook);
      const busy = named.filter((webhook) => named.filter((other) => other === webhook).length >= MOST_OF_ONE);
      const due = { most: free, leaseMs: limits.leaseMs, except: busy, processId };
      const taken = await takeDeliveries(context.database, due);
      for (const delivery of taken) begin(delivery);
      if (taken.length < free) return;
    }
  }

  function begin(delivery: TakenDelivery): void {
    // Its lease ran out while this very process is still at it: what comes of that is not kept, so it is due again.
    if (inFlight.has(delivery.id)) return;
    // One that fails in the database keeps its lease, and is taken again after it.
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
      // Whoever looks hears of its failure.
      await looking?.catch(() => undefined);
      await idle();
    },
  };
}
