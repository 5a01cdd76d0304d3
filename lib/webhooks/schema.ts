import { z } from 'zod';

/**
 * States of a delivery. Pending: `waiting` (for its first or next attempt), `sending`. Final: `decided` (its response was accepted),
 * `declined` (the webhook leaves the decision to others), `refused` (its response was rejected), `late` (somebody else had decided),
 * `failed` (no usable response), `dropped` (nothing was left to decide when it was due).
 */
const DELIVERY_STATES = ['waiting', 'sending', 'decided', 'declined', 'refused', 'late', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Maximum number of characters shown of a request or response. No more is stored of a response. */
export const SHOWN_CHARACTERS = 4_000;

/** A webhook delivery for one pause of a run, and its outcome. `error` describes the last attempt, `outcome` the whole delivery. */
export const webhookDeliverySchema = z.object({
  /** Value of the header `hone-delivery` in all attempts. */
  id: z.guid(),
  webhook: z.string(),
  runId: z.guid(),
  runNumber: z.int(),
  pauseId: z.guid(),
  state: z.enum(DELIVERY_STATES),
  tries: z.int().min(0),
  nextTryAt: z.iso.datetime().nullable(),
  request: z.string().meta({ description: 'Its first 4,000 characters.' }),
  responseStatus: z.int().nullable(),
  response: z.string().nullable().meta({ description: 'Its first 4,000 characters.' }),
  error: z.string().nullable(),
  outcome: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastTriedAt: z.iso.datetime().nullable(),
  /** Duration of the last attempt. */
  durationMs: z.int().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
