import { z } from 'zod';
import { integerBetween, numberBetween } from '#lib/core/setting-parts.ts';

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
  runEvents: rows.meta({ description: 'Events of runs; the latest of a run count as one.' }),
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

const maxCostUsd = numberBetween(0.000001, 1_000_000, 'number', 'null (no limit)').nullable();
/** From this share of it on, in percent, pages say so. */
const warnAtPercent = integerBetween(1, 100);

/** What models may cost in a calendar month, by UTC, over all that this installation does; null: as much as it takes. */
export const monthBudgetSchema = z.strictObject({
  maxCostUsd: maxCostUsd.default(null),
  warnAtPercent: warnAtPercent.default(80),
});
/** As it is set: what is left out is not taken for null, for then the limit would be lifted unasked. */
export const monthBudgetInputSchema = z.strictObject({ maxCostUsd, warnAtPercent });
export type MonthBudget = z.infer<typeof monthBudgetSchema>;

/** The month's budget, and what was spent of it so far, in US dollars. */
export const monthUseSchema = monthBudgetSchema.extend({
  month: z.string().meta({ description: 'The calendar month by UTC, for example 2026-11.' }),
  spentUsd: z.number(),
  practiceUsd: z.number().meta({ description: "Of it, what the practice model's made-up prices come to." }),
  unpricedCalls: z.int().meta({ description: 'Calls without a known price: no budget of money sees them.' }),
  experiments: z
    .array(z.object({ id: z.guid(), name: z.string(), spentUsd: z.number() }))
    .meta({ description: 'What took most, largest first, at most five.' }),
  otherUsd: z.number().meta({
    description: 'What no stored run tells of: the playground, criteria that were tried, and runs that were deleted.',
  }),
  updatedBy: z.string().nullable().meta({ description: 'Who set the budget; null: nobody did.' }),
  updatedAt: z.iso.datetime().nullable(),
});
export type MonthUse = z.infer<typeof monthUseSchema>;

/** When the calendar month of `now` begins, by UTC. */
export function beginOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

/** When the next one begins: `2026-12-01`. */
export function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
}
