import { z } from 'zod';
import { nameSchema, promptTextSchema } from '#lib/core/setting-parts.ts';
import { componentNameSchema, MAX_COMPONENTS } from '#lib/core/targets/target-settings.ts';
import { traceProblem } from '#lib/core/trace.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '#lib/providers/provider-configuration.ts';
import { targetCallSchema, targetResultSchema } from '#lib/providers/target/target-call.ts';
import { TARGET_NAME, TARGET_NAME_ERROR } from './target-name.ts';

const TARGET_KINDS = ['http', 'sdk'] as const;

const componentSchema = z.strictObject({
  text: promptTextSchema.meta({ description: 'The text that the app uses now.' }),
  description: z
    .string()
    .max(500, { error: 'must be at most 500 characters' })
    .default('')
    .meta({ description: 'What the app uses it for.' }),
});
const componentsSchema = z
  .record(componentNameSchema, componentSchema)
  .refine((components) => Object.keys(components).length <= MAX_COMPONENTS, {
    error: `must contain at most ${MAX_COMPONENTS} components`,
  });

/** Maximum timeout of a target, in seconds (one day). */
const MAX_TIMEOUT_SECONDS = 86_400;

/** Input for saving a target. Omitted fields do not change. */
export const targetSaveSchema = z.strictObject({
  kind: z
    .enum(TARGET_KINDS, { error: 'must be http or sdk' })
    .meta({ description: 'http: Hone calls the app at its URL. sdk: the app connects to Hone.' }),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .max(500, { error: 'must be at most 500 characters' })
    .refine((url) => !URL.canParse(url) || new URL(url).username === '', {
      error: 'must not contain a user name or a password. Use the secret',
    })
    .nullable()
    .optional()
    .meta({ description: 'URL of the app. Only for the kind http.' }),
  secret: z
    .string({ error: 'must be a text of 16 to 200 characters' })
    .min(16, { error: 'must be 16 to 200 characters long, so that nobody guesses it' })
    .max(200, { error: 'must be 16 to 200 characters long' })
    .nullable()
    .optional()
    .meta({ description: 'Signs the requests to the app. Write-only. Null removes it.' }),
  seenUrl: z
    .string({ error: 'must be a text' })
    .max(2_000, { error: 'must be at most 2,000 characters' })
    .optional()
    .meta({ description: 'The stored URL that you saw. If it has changed since, the response is 409.' }),
  components: componentsSchema.optional().meta({ description: 'The texts that the app exposes, by name.' }),
  timeoutSeconds: z
    .int({ error: `must be a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}` })
    .min(1, { error: `must be from 1 to ${MAX_TIMEOUT_SECONDS} seconds` })
    .max(MAX_TIMEOUT_SECONDS, { error: `must be from 1 to ${MAX_TIMEOUT_SECONDS} seconds` })
    .nullable()
    .optional()
    .meta({ description: `How long Hone waits for an output, in seconds. Null: ${DEFAULT_TIMEOUT_SECONDS}.` }),
  maxConcurrency: z
    .int({ error: 'must be a whole number from 1 to 1,000' })
    .min(1, { error: 'must be from 1 to 1,000' })
    .max(1_000, { error: 'must be from 1 to 1,000' })
    .nullable()
    .optional()
    .meta({ description: 'Maximum number of calls at a time. Null: no limit.' }),
});

export const targetNameSchema = nameSchema.regex(TARGET_NAME, { error: TARGET_NAME_ERROR });

const moment = z.iso.datetime();

/** A target as shown to people, without its secret. */
export const targetViewSchema = z.object({
  name: z.string(),
  kind: z.enum(TARGET_KINDS),
  url: z.string().nullable(),
  hasSecret: z.boolean(),
  components: z.record(z.string(), z.object({ text: z.string(), description: z.string() })),
  timeoutSeconds: z.int().nullable(),
  maxConcurrency: z.int().nullable(),
  workers: z
    .array(z.object({ worker: z.string(), seenAt: moment }))
    .meta({ description: 'Processes that requested work within the last minute.' }),
  experiments: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .meta({ description: 'Experiments that use the target.' }),
  createdAt: moment,
  updatedAt: moment,
});
export type TargetView = z.infer<typeof targetViewSchema>;

/** A target offered in a form, with the current texts of its app. */
export type TargetChoice = { name: string; isConnected: boolean; components: Record<string, string> };

const workerName = z
  .string({ error: 'must be a text of 1 to 120 characters' })
  .trim()
  .min(1, { error: 'must not be empty (1 to 120 characters)' })
  .max(120, { error: 'must be at most 120 characters' })
  .meta({ description: 'A name of this process, the same in all its requests.' });

/** Maximum number of jobs per request. */
const MAX_JOBS = 50;

export const jobClaimSchema = z.strictObject({
  worker: workerName,
  max: z
    .int({ error: `must be a whole number from 1 to ${MAX_JOBS}` })
    .min(1, { error: `must be from 1 to ${MAX_JOBS}` })
    .max(MAX_JOBS, { error: `must be from 1 to ${MAX_JOBS}` })
    .default(1)
    .meta({ description: 'Maximum number of jobs to take.' }),
  waitSeconds: z
    .number({ error: 'must be a number from 0 to 25' })
    .min(0, { error: 'must be from 0 to 25' })
    .max(25, { error: 'must be from 0 to 25' })
    .default(20)
    .meta({ description: 'How long to wait for a job, in seconds.' }),
});

export const jobsSchema = z.object({
  jobs: z.array(
    z.object({
      id: z.guid(),
      attempt: z.int().meta({ description: 'Number of times that Hone has handed out the job, from 1.' }),
      leaseSeconds: z
        .int()
        .meta({ description: 'Time without a heartbeat after which another worker may take the job, in seconds.' }),
      input: targetCallSchema,
    }),
  ),
});

export const heartbeatSchema = z.strictObject({
  worker: workerName,
  jobs: z.array(z.guid({ error: 'must be the id of a job' })).max(1_000, { error: 'must contain at most 1,000 ids' }),
});
export const heartbeatAnswerSchema = z.object({
  held: z.array(z.string()).meta({ description: 'Jobs that stay with this worker.' }),
  lost: z.array(z.string()).meta({
    description: 'Jobs that another worker has claimed or that no run needs any longer. Stop working on them.',
  }),
});

export const signOffSchema = z.strictObject({ worker: workerName });

/** The result of a job, as a worker or a called app sends it: an output, or an error. */
export const jobResultSchema = targetResultSchema
  .safeExtend({ worker: workerName.nullish() })
  .superRefine(({ trace }, context) => {
    const problem = traceProblem(trace);
    if (problem !== null) context.addIssue({ code: 'custom', path: ['trace'], message: problem });
  });

export const jobAnswerSchema = z.object({
  accepted: z.boolean(),
  reason: z.string().nullable().meta({ description: 'Why the result was not used.' }),
});
