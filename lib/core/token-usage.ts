import { z } from 'zod';

const count = z.int().min(0);

export const tokenUsageSchema = z.object({ input: count, output: count, total: count });
/** Tokens of one or several model calls. `total` = input + output. */
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** The fields of `Spend`, for records that contain them among others. */
export const spendFields = { tokenUsage: tokenUsageSchema, costUsd: z.number().min(0).nullable(), durationMs: count };
export const spendSchema = z.object(spendFields);
/** Cost of a result. `costUsd` is null if the model has no known price. */
export type Spend = z.infer<typeof spendSchema>;

export const NO_SPEND: Spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, durationMs: 0 };
