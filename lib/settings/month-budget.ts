import { z } from 'zod';
import { integerBetween, numberBetween } from '#lib/core/setting-parts.ts';

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
