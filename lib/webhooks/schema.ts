import { z } from 'zod';

/**
 * How a delivery stands. On its way: `waiting` (for its first or next try), `sending`. At its end: `decided` (its answer was
 * taken), `declined` (the webhook leaves it to others), `refused` (its answer could not be taken), `late` (somebody else had
 * decided by then), `failed` (no answer that could be used), `dropped` (there was nothing left to decide when it was to be sent).
 */
const DELIVERY_STATES = ['waiting', 'sending', 'decided', 'declined', 'refused', 'late', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Characters of a request and of an answer that are shown; of answers no more is stored. */
export const SHOWN_CHARACTERS = 4_000;

/** What a webhook was told of one pause of a run, and what came of it. `error` speaks of the last try, `outcome` of the whole. */
export const webhookDeliverySchema = z.object({
  /** The header `hone-delivery` of all its tries. */
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
  /** Of the last try. */
  durationMs: z.int().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
