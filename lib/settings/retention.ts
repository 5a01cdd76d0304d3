import { z } from 'zod';
import { numberBetween } from '#lib/core/setting-parts.ts';

const days = numberBetween(1, 3650, 'whole number', 'null (kept for ever)')
  .nullable()
  .meta({ description: 'Kept for so many days; null: for ever.' });
const daysOrForEver = days.default(null);

/** How long what runs leave behind is kept, in days since the run ended. Scores, outputs, decisions, lessons and costs are always kept. */
export const retentionSchema = z.strictObject({
  callTextDays: daysOrForEver,
  runEventDays: daysOrForEver,
  webhookDeliveryDays: daysOrForEver,
  toolResultDays: daysOrForEver,
});
export type Retention = z.infer<typeof retentionSchema>;

/** As it is set: what is left out is not taken for null, for then it would be kept for ever unasked. */
export const retentionInputSchema = z.strictObject({
  callTextDays: days,
  runEventDays: days,
  webhookDeliveryDays: days,
  toolResultDays: days,
});

const rows = z.int().min(0);
/** Rows that are, or would be, emptied (texts of calls, results of tools) or deleted (the rest). */
export const purgedSchema = z.object({
  callTexts: rows.meta({ description: 'Calls of models that lose their texts; tokens, cost and time stay.' }),
  paidReplies: rows.meta({ description: 'Kept replies; the same question would be paid for again.' }),
  runEvents: rows,
  webhookDeliveries: rows,
  toolResults: rows.meta({ description: 'Results of tools that agents used.' }),
});
export type Purged = z.infer<typeof purgedSchema>;

export const NOTHING_PURGED: Purged = {
  callTexts: 0,
  paidReplies: 0,
  runEvents: 0,
  webhookDeliveries: 0,
  toolResults: 0,
};

/** Rows that are due are counted up to so many of a kind: there may be millions. */
export const MOST_DUE = 1_000;

/** The setting, what it would remove now, and what was removed last. */
export const retentionViewSchema = z.object({
  ...retentionSchema.shape,
  updatedBy: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
  due: purgedSchema.meta({
    description: `What it would remove now. More than ${MOST_DUE} of a kind are not counted to the end: a number above says no more than that.`,
  }),
  lastPurge: z
    .object({ at: z.iso.datetime(), by: z.string(), purged: purgedSchema })
    .nullable()
    .meta({ description: 'Null: nothing was purged yet.' }),
});
export type RetentionView = z.infer<typeof retentionViewSchema>;

/** What stands where a text was. */
export const REMOVED_TEXT = '(removed: it is kept no longer, see Settings, Backup and retention)';

/** How many rows that is, over all kinds. */
export function countPurged(purged: Purged): number {
  return Object.values(purged).reduce((sum, count) => sum + count, 0);
}
