import { z } from 'zod';

const count = z.int().min(0);

export const tokenUsageSchema = z.object({ input: count, output: count, total: count });
/** Tokens of one or several model calls; `total` = input + output. */
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** The fields of `Spend`, for the records that have them among others. */
export const spendFields = { tokenUsage: tokenUsageSchema, costUsd: z.number().min(0).nullable(), durationMs: count };
export const spendSchema = z.object(spendFields);
/** What something cost to make. `costUsd` is null when the model has no known price. */
export type Spend = z.infer<typeof spendSchema>;

export const NO_SPEND: Spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, durationMs: 0 };
