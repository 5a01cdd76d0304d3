import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '#lib/context/app-context.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { Resolve } from '#lib/outgoing/outgoing-address.ts';
import { findRun } from '#lib/runs/queries.ts';
import { type Answer, type ScriptedServer, startScriptedServer } from '#lib/testing/scripted-server.test-support.ts';
import { PRACTICE_WRITING, queuedRun, TESTER, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { type DeliveryLimits, webhookDeliverer } from '#lib/worker/webhooks/webhook-deliverer.ts';
import { listDeliveries } from './queries.ts';
import { saveWebhook } from './save-webhook.ts';
import type { WebhookDelivery } from './schema.ts';

export const SECRET = 'a secret of the test';
export const TASK = { input: 'Explain tides.', reference: 'The moon pulls the water twice a day.' };
/** Three attempts in immediate succession. */
export const LIMITS: DeliveryLimits = { timeoutMs: 300, backOffMs: [1, 1], leaseMs: 60_000 };

/** Returns a response with its pause, delivery and signature, which are valid unless overridden. Text is sent unchanged. */
export function signed(
  body: object | string,
  { secret = SECRET, at = Date.now(), status = 200 }: { secret?: string; at?: number; status?: number } = {},
): Answer {
  return (response, { pauseId, delivery }) => {
    const text = typeof body === 'string' ? body : JSON.stringify({ pauseId, delivery, ...body });
    const timestamp = String(Math.floor(at / 1000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex');
    response.writeHead(status, { 'hone-timestamp': timestamp, 'hone-signature': signature });
    response.end(text);
  };
}

export type DecidingRun = {
  context: AppContext;
  server: ScriptedServer;
  name: string;
  runId: string;
  record(): Promise<RunRecord>;
  /** Performs the run once more. */
  perform(): Promise<RunRecord>;
  /** Returns all deliveries of its webhook, newest first. */
  deliveries(): Promise<WebhookDelivery[]>;
  deliverer(options?: { resolve?: Resolve; limits?: DeliveryLimits }): ReturnType<typeof webhookDeliverer>;
  /** Sends until no delivery of its webhook is pending. */
  deliver(options?: { resolve?: Resolve; limits?: DeliveryLimits }): Promise<WebhookDelivery>;
};

let webhooks = 0;

/** Creates a run that waits at its first pause, with a separate webhook that sends these responses. Nothing has been sent yet. */
export async function decidingRun(
  context: AppContext,
  answers: Answer[],
  settings: Partial<ExperimentSettingsInput> = {},
): Promise<DecidingRun> {
  const server = await startScriptedServer(answers);
  const name = `gate-${webhooks++}`;
  unwrap(await saveWebhook(context, TESTER, { name, url: server.baseUrl, secret: SECRET }));
  const callbacks = { pause: 'always' as const, webhook: name, ...settings.callbacks };
  const runId = await queuedRun(
    context,
    { ...PRACTICE_WRITING, convergence: null, maxIterations: 0, ...settings, callbacks },
    TASK,
  );
  const record = async () => {
    const found = await findRun(context.database, runId);
    if (found === null) throw new Error('no run');
    return found.record;
  };
  const perform = async () => {
    await performRun(testWorkerContext(context), runId);
    return record();
  };
  const deliveries = async () => (await listDeliveries(context.database, name, { cursor: null, limit: 100 })).items;
  const deliverer: DecidingRun['deliverer'] = (options) =>
    webhookDeliverer(context, {
      limits: LIMITS,
      onError: (error) => {
        throw error;
      },
      ...options,
    });
  const deliver: DecidingRun['deliver'] = async (options) => {
    const sender = deliverer(options);
    for (let looks = 0; looks < 200; looks++) {
      await sender.look();
      await sender.idle();
      const [newest] = await deliveries();
      if (newest !== undefined && newest.state !== 'waiting' && newest.state !== 'sending') return newest;
      await sleep(5);
    }
    throw new Error('the delivery did not end');
  };
  await perform();
  return { context, server, name, runId, record, perform, deliveries, deliverer, deliver };
}
