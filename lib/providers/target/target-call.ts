import { z } from 'zod';
import { targetReplySchema } from '#lib/core/targets/target-reply.ts';
import { targetInputSchema } from '#lib/core/targets/target-request.ts';

/** What a target is sent for one call: by HTTP as the body, or as the input of a job. */
export const targetCallSchema = targetInputSchema.extend({
  id: z.guid().meta({ description: 'The same for every try of one call. Use it to do nothing twice.' }),
  target: z.string(),
  run: z.object({ id: z.guid() }).nullable().meta({ description: 'The run. Null for a test.' }),
  callbackUrl: z
    .string()
    .nullable()
    .meta({ description: 'URL to send the output to later, after a response with status 202.' }),
});
export type TargetCall = z.infer<typeof targetCallSchema>;

/** An error that a target reports in place of an output. */
const targetErrorSchema = z.strictObject({
  message: z
    .string({ error: 'must be a text' })
    .min(1, { error: 'must not be empty' })
    .max(5_000, { error: 'must be at most 5,000 characters' }),
  retry: z.boolean().default(false).meta({ description: 'Whether another try may help.' }),
});

/** What a target answers later: an output, or an error. */
export const targetResultSchema = z
  .object({ error: targetErrorSchema.nullish(), ...targetReplySchema.partial().shape })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined || error === null), {
    path: ['output'],
    error: 'must be given, unless there is an error',
  });
export type TargetAnswer = z.infer<typeof targetResultSchema>;

/** A job to be made: what a target is sent, and the step of the run that waits for it. */
export type NewJob = { call: TargetCall; step: number | null; state: 'waiting' | 'held' };

/** How a call waits for targets that answer later. */
export type TargetJobs = {
  /** The answer that is there already, or since when the job waits for one; undefined where there is no job. */
  find(id: string, signal: AbortSignal): Promise<{ answer: TargetAnswer } | { waitingSince: Date } | undefined>;
  /** Makes the job, unless it is there, and waits for its answer. Throws the reason of the signal. */
  await(job: NewJob, signal: AbortSignal): Promise<TargetAnswer>;
  /** Removes the job of a call that failed: when the run is resumed, the target is asked anew. */
  forget(id: string): Promise<void>;
};
