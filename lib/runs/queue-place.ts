import { z } from 'zod';
import { RUN_STATUSES } from '#lib/core/run-record.ts';

/** Why a run does not go on just now. */
export const QUEUE_REASONS = [
  'no_worker',
  'slots_full',
  'earlier_runs',
  'tried_again',
  'budget',
  'provider_slots',
  'provider_rate',
  'begins',
] as const;
export type QueueReasonKind = (typeof QUEUE_REASONS)[number];

const queueReasonSchema = z.object({
  kind: z.enum(QUEUE_REASONS),
  message: z.string(),
  until: z.iso.datetime().nullable().meta({ description: 'When it will be over, where that is known.' }),
});
export type QueueReason = z.infer<typeof queueReasonSchema>;

/** Where a run stands in the queue and what it waits for; no reasons where it waits for no worker and no model. */
export const queuePlaceSchema = z.object({
  status: z.enum(RUN_STATUSES),
  ahead: z.int().nullable().meta({ description: 'Runs that begin before it; null where it is not queued.' }),
  reasons: z.array(queueReasonSchema),
});
export type QueuePlace = z.infer<typeof queuePlaceSchema>;
