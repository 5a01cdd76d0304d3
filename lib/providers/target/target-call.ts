import { z } from 'zod';
import { targetInputSchema } from '#lib/core/targets/target-request.ts';
import { targetResponseSchema } from '#lib/core/targets/target-response.ts';
import type { ModelFailure } from '../call/model-caller.ts';

/** Body of the HTTP request, or input of the job, for one call. */
export const targetCallSchema = targetInputSchema.extend({
  id: z.guid().meta({
    description: 'ID of the call. It stays the same when Hone retries, so the app can detect repeated requests.',
  }),
  target: z.string(),
  run: z.object({ id: z.guid() }).nullable().meta({ description: 'The run. Null for a test.' }),
  callbackUrl: z
    .string()
    .nullable()
    .meta({ description: 'URL to send the output to later, after a response with status 202.' }),
});
export type TargetCall = z.infer<typeof targetCallSchema>;

/** Error that a target reports instead of an output. */
const targetErrorSchema = z.strictObject({
  message: z
    .string({ error: 'must be a text' })
    .min(1, { error: 'must not be empty' })
    .max(5_000, { error: 'must be at most 5,000 characters' }),
  retry: z.boolean().default(false).meta({ description: 'Whether another try may help.' }),
});

/** Result of a job: an output or an error. */
export const targetResultSchema = z
  .object({ error: targetErrorSchema.nullish(), ...targetResponseSchema.partial().shape })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined || error === null), {
    path: ['output'],
    error: 'must be given, unless there is an error',
  });
export type TargetAnswer = z.infer<typeof targetResultSchema>;

/** New job: the call, and the step of the run that waits for it. */
export type NewJob = { call: TargetCall; step: number | null; state: 'waiting' | 'held' };

/** Stores and awaits jobs. */
export type TargetJobs = {
  /** Returns the answer, or the time since when the job waits for one. Undefined if there is no job. */
  find(id: string, signal: AbortSignal): Promise<{ answer: TargetAnswer } | { waitingSince: Date } | undefined>;
  /** Creates the job unless it exists, and waits for its answer. Throws the reason of the signal. */
  await(job: NewJob, signal: AbortSignal): Promise<TargetAnswer>;
  /** Deletes the job of a failed call, so that a resumed run sends the call again. */
  deleteJob(id: string): Promise<void>;
};

/** Error for an invalid answer of a target, or an error that it reported. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly failed: Pick<ModelFailure, 'kind' | 'message' | 'remedy'> & { again: boolean };
  constructor(failed: TargetError['failed']) {
    super(failed.message);
    this.failed = failed;
  }
}
