import { z } from 'zod';
import { integerBetween, numberBetween } from '#lib/core/setting-parts.ts';
import { MAX_DUE_COUNT } from './purged-rows.ts';

const days = numberBetween(1, 3650, 'whole number', 'null (kept forever)')
  .nullable()
  .meta({ description: 'Days to keep the data. Null: forever.' });
const daysOrForEver = days.default(null);

/** Retention of run data, in days since the run ended. Scores, outputs, decisions, lessons and costs are always kept. */
export const retentionSchema = z.strictObject({
  callTextDays: daysOrForEver,
  runEventDays: daysOrForEver,
  webhookDeliveryDays: daysOrForEver,
  toolResultDays: daysOrForEver,
});
export type Retention = z.infer<typeof retentionSchema>;

/** Input of the setting. No field may be omitted, because a default of null would keep data forever without being requested. */
export const retentionInputSchema = z.strictObject({
  callTextDays: days,
  runEventDays: days,
  webhookDeliveryDays: days,
  toolResultDays: days,
});

const rows = z.int().min(0);
/** Rows that are, or would be, emptied (texts of calls, results of tools) or deleted (the rest). */
export const purgedSchema = z.object({
  callTexts: rows.meta({ description: 'Model calls whose texts are removed. Tokens, cost and time are kept.' }),
  paidReplies: rows.meta({ description: 'Stored responses. Without them, the same request is paid for again.' }),
  runEvents: rows.meta({ description: 'Events of runs. Those that are stored together count as one.' }),
  webhookDeliveries: rows,
  toolResults: rows.meta({ description: 'Results of tools that agents used, and stored traces.' }),
});
export type Purged = z.infer<typeof purgedSchema>;

export const NOTHING_PURGED: Purged = {
  callTexts: 0,
  paidReplies: 0,
  runEvents: 0,
  webhookDeliveries: 0,
  toolResults: 0,
};

/** The setting, the rows it would remove now, and the last purge. */
export const retentionViewSchema = z.object({
  ...retentionSchema.shape,
  updatedBy: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
  due: purgedSchema.meta({
    description: `What a purge would remove now. Counting stops above ${MAX_DUE_COUNT} of a kind.`,
  }),
  lastPurge: z
    .object({ at: z.iso.datetime(), by: z.string(), purged: purgedSchema })
    .nullable()
    .meta({ description: 'Null: nothing was purged yet.' }),
});
export type RetentionView = z.infer<typeof retentionViewSchema>;

/** Replacement for a removed text. */
export const REMOVED_TEXT = '(removed: it is kept no longer, see Settings, Backup and retention)';

const maxCostUsd = numberBetween(0.000001, 1_000_000, 'number', 'null (no limit)').nullable();
/** Percentage of the budget from which pages show a warning. */
const warnAtPercent = integerBetween(1, 100);

/** Maximum cost of model calls in a calendar month (UTC), for the whole installation. Null means no limit. */
export const monthBudgetSchema = z.strictObject({
  maxCostUsd: maxCostUsd.default(null),
  warnAtPercent: warnAtPercent.default(80),
});
/** Input of the setting. No field may be omitted, because a default of null would lift the limit without being requested. */
export const monthBudgetInputSchema = z.strictObject({ maxCostUsd, warnAtPercent });
export type MonthBudget = z.infer<typeof monthBudgetSchema>;

/** The monthly budget and the amount spent so far, in US dollars. */
export const monthUseSchema = monthBudgetSchema.extend({
  month: z.string().meta({ description: 'The calendar month by UTC, for example 2026-11.' }),
  spentUsd: z.number(),
  practiceUsd: z
    .number()
    .meta({ description: 'Part of the spending that comes from the fictitious prices of the practice model.' }),
  unpricedCalls: z.int().meta({ description: 'Calls without a known price. They do not count toward cost budgets.' }),
  experiments: z
    .array(z.object({ id: z.guid(), name: z.string(), spentUsd: z.number() }))
    .meta({ description: 'The most expensive experiments, largest first, at most five.' }),
  otherUsd: z.number().meta({
    description: 'Spending outside of stored runs: the playground, test calls of criteria, and deleted runs.',
  }),
  updatedBy: z.string().nullable().meta({ description: 'Who set the budget. Null: nobody has set it.' }),
  updatedAt: z.iso.datetime().nullable(),
});
export type MonthUse = z.infer<typeof monthUseSchema>;

/** Returns the start of the calendar month of `now`, in UTC. */
export function beginOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

/** Returns the date on which the next month starts, in UTC: `2026-12-01`. */
export function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
}
