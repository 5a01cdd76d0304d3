import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf, readTimeCursor, timeCursor } from '#lib/database/page.ts';
import { SHOWN_CHARACTERS, type WebhookDelivery, webhookDeliverySchema } from './webhook-delivery.ts';

const moment = z.date().transform((date) => date.toISOString());
const listedRows = z.array(
  z
    .object({
      id: z.string(),
      webhook: z.string(),
      run_id: z.string(),
      run_number: z.int(),
      pause_id: z.string(),
      state: webhookDeliverySchema.shape.state,
      tries: z.int(),
      next_try_at: moment.nullable(),
      request: z.string(),
      response_status: z.int().nullable(),
      response_body: z.string().nullable(),
      error: z.string().nullable(),
      outcome: z.string().nullable(),
      created_at: moment,
      last_tried_at: moment.nullable(),
      duration_ms: z.int().nullable(),
    })
    .transform(
      (row): WebhookDelivery => ({
        id: row.id,
        webhook: row.webhook,
        runId: row.run_id,
        runNumber: row.run_number,
        pauseId: row.pause_id,
        state: row.state,
        tries: row.tries,
        nextTryAt: row.next_try_at,
        request: row.request,
        responseStatus: row.response_status,
        response: row.response_body,
        error: row.error,
        outcome: row.outcome,
        createdAt: row.created_at,
        lastTriedAt: row.last_tried_at,
        durationMs: row.duration_ms,
      }),
    ),
);

const LIST = `
  SELECT d.id, d.webhook, d.run_id, r.number AS run_number, d.pause_id, d.state, d.tries, d.next_try_at, left(d.request_body, ${SHOWN_CHARACTERS}) AS request,
    d.response_status, d.response_body, d.error, d.outcome, d.created_at, d.last_tried_at, d.duration_ms
  FROM webhook_deliveries d JOIN runs r ON r.id = d.run_id
  WHERE d.webhook = $1 AND ($2::timestamptz IS NULL OR (d.created_at, d.id) < ($2, $3::uuid))
  ORDER BY d.created_at DESC, d.id DESC LIMIT $4`;

/** What was sent to a webhook, newest first. */
export async function listDeliveries(
  { pool }: Pick<Database, 'pool'>,
  webhook: string,
  options: { cursor: string | null; limit: number },
): Promise<Page<WebhookDelivery>> {
  const after = readTimeCursor(options.cursor);
  const { rows } = await pool.query(LIST, [webhook, after?.at ?? null, after?.id ?? null, options.limit + 1]);
  return pageOf(listedRows.parse(rows), options.limit, timeCursor);
}
