import { z } from 'zod';
import { MAX_OBSERVATION_LENGTH } from '#lib/core/agents/agent-records.ts';
import { runLimitsSchema } from '#lib/core/budget-settings.ts';
import {
  critiqueSchema,
  decisionSchema,
  evaluationSchema,
  observationSchema,
  turnSchema,
  versionSchema,
  writtenLessonSchema,
} from '#lib/core/history.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { ENDED_STATUSES } from '#lib/core/run-statuses.ts';
import { integerBetween, numberBetween } from '#lib/core/setting-parts.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { caseInputSchema, readInput } from '#lib/datasets/case-input.ts';
import { formatCount } from '#lib/format.ts';
import { findJsonError } from '#lib/formats/json-errors.ts';
import { parseInput, storedTime } from '#lib/input/parse-input.ts';
import { failureColumn } from '#lib/runs/run-rows.ts';

const MAX_TEXT_LENGTH = 1_000_000;
const MAX_RECORDS = 2_000;
/** Maximum number of turns, or of observations, in one attempt, including its workers. */
const MAX_TRAJECTORY_ITEMS = 20_000;
/** Maximum value of an integer column, and of a cost. */
export const MAX_NUMBER = 2_000_000_000;

const count = z.int().min(0);
const moment = storedTime('must be a time such as 2026-01-31T12:00:00Z');
/** Token counts, exported without `total`, which is computed. */
const tokenUsage = z
  .strictObject({ input: count, output: count })
  .transform(({ input, output }) => ({ input, output, total: input + output }));
/** Index of a record among those of its kind in the run, from 0. */
const place = count;
const made = { tokenUsage, createdAt: moment };

const evaluation = evaluationSchema
  .omit({ version: true })
  .extend({ ...made, place })
  .strict();
const critique = critiqueSchema
  .omit({ version: true })
  .extend({ ...made, place })
  .strict();
const lesson = writtenLessonSchema
  .omit({ version: true, id: true })
  .extend({ ...made, place })
  .strict();
const decision = decisionSchema
  .omit({ pauseId: true })
  .extend({
    // Older exports, from before agents used tools, have none.
    toolCallId: decisionSchema.shape.toolCallId.default(null),
    toolArguments: decisionSchema.shape.toolArguments.default(null),
    /** Index of the pause that was answered, from 0. Pauses get new ids when imported. */
    pause: count.nullable(),
    at: moment,
  })
  .strict();

/** `own` is the index of one of the run's own lessons. Otherwise `lessonId` is the id in the library of the source. */
const recalled = z.strictObject({
  own: count.nullable(),
  lessonId: z.string().nullable(),
  rank: count,
  score: z.number().nullable(),
});

/** A worker's turns contain the delegation that they belong to. */
const turn = turnSchema
  .omit({ version: true })
  // Older exports have no count.
  .extend({ ...made, callsLeftOut: turnSchema.shape.callsLeftOut.default(0) })
  .strict();
const turns = trajectoryOf(turn, ({ delegation, number }) => `${number} ${delegation ?? ''}`, 'a turn');

const observation = observationSchema
  .omit({ version: true })
  .extend({ text: z.string().max(MAX_OBSERVATION_LENGTH), createdAt: moment })
  .strict();
const observations = trajectoryOf(observation, ({ callId }) => callId, 'an observation');

/** In run order, without duplicates. Older exports, from before agents, have none. */
function trajectoryOf<Item extends z.ZodType>(item: Item, keyOf: (one: z.output<Item>) => string, what: string) {
  return z
    .array(item)
    .max(MAX_TRAJECTORY_ITEMS)
    .refine((items) => new Set(items.map(keyOf)).size === items.length, { error: `must not hold ${what} twice` })
    .default([]);
}

/** Fields of the run, on the line of its first attempt. */
const run = z.strictObject({
  experimentVersion: count.min(1),
  status: z.enum(ENDED_STATUSES),
  convergenceReason: z.enum(STOP_REASONS),
  alsoHeld: z.array(z.enum(STOP_REASONS)),
  success: z.boolean(),
  finalVersion: count.nullable(),
  failure: failureColumn.nullable(),
  /** The version of another run that it started from. Older exports have none. */
  branchedVersion: count.nullable().default(null),
  decisions: z.array(decision),
  /** Critiques of a version that was never created, with its number. */
  critiques: z.array(critique.extend({ version: count })),
  /** Turns toward a next version that was not created before the run ended. */
  turns,
  observations,
  /** Totals of all calls, including calls without a record. */
  tokenUsage,
  costUsd: z.number().min(0),
  unpriced: z.boolean(),
  calls: count,
  /** Budgets that were set when the run was resumed, and the spend outside the loop. Older exports have none. */
  ownBudget: runLimitsSchema.nullable().default(null),
  asideTokens: count.default(0),
  asideCostUsd: z.number().min(0).default(0),
  activeMs: z.number().min(0),
  step: count,
  createdAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment,
});

/**
 * All data of an attempt beyond the plain import line. Exported so that an import restores the same history. Lessons recalled from a
 * library are exported but not imported, because they belong to another library. Model calls are not included.
 */
const storedAttemptSchema = versionSchema
  .omit({ number: true, output: true, proposal: true })
  .extend({
    ...made,
    origin: versionSchema.shape.origin.exclude(['given']),
    recalledLessons: z.array(recalled),
    evaluations: z.array(evaluation),
    critiques: z.array(critique),
    lessons: z.array(lesson),
    turns,
    observations,
    run: run.optional(),
  })
  .strict()
  .superRefine((attempt, context) => refuseLarge(attempt, [], context));
export type StoredAttempt = z.output<typeof storedAttemptSchema>;
export type StoredAttemptInput = z.input<typeof storedAttemptSchema>;
export type StoredRunFacts = NonNullable<StoredAttempt['run']>;

/** Reports values that exceed Hone's limits: texts, lists and numbers anywhere in an attempt. */
function refuseLarge(value: unknown, path: PropertyKey[], context: z.core.$RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path, message, input: value });
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
    refuse(`must be at most ${formatCount(MAX_TEXT_LENGTH)} characters, got ${formatCount(value.length)}`);
  if (typeof value === 'number' && Math.abs(value) > MAX_NUMBER)
    refuse(`must be from ${formatCount(-MAX_NUMBER)} to ${formatCount(MAX_NUMBER)}, got ${value}`);
  if (typeof value !== 'object' || value === null) return;
  const isTrajectory = path.at(-1) === 'turns' || path.at(-1) === 'observations';
  if (Array.isArray(value) && value.length > MAX_RECORDS && !isTrajectory)
    return void refuse(`must contain at most ${formatCount(MAX_RECORDS)} entries, got ${formatCount(value.length)}`);
  for (const [key, part] of Object.entries(value)) refuseLarge(part, [...path, key], context);
}

/** Maximum number of attempts in one history. */
const MAX_ATTEMPTS_PER_RUN = 1_000;

const name = z
  .string({ error: 'must be a text' })
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(200, { error: 'must be at most 200 characters' });

function textUpTo(characters: number) {
  return z
    .string({ error: 'must be a text' })
    .max(characters, { error: `must be at most ${characters.toLocaleString('en-US')} characters` });
}

const issue = z.union([
  textUpTo(5_000).transform((text) => ({ criterion: null, text })),
  z.strictObject({ criterion: name.nullable().default(null), text: textUpTo(5_000) }),
]);

const tokenCount = integerBetween(0, MAX_NUMBER);

/**
 * One attempt of a past run, as a line of JSON. Lines with the same `run` and case form one history.
 * `score` (0 to 1) is the quality of the output and `solved` is true if it is good enough. Each may be given alone. If both are null or
 * missing, the attempt is unscored. `tokens`: input and output tokens. A bare number counts as output. `experiment` and `stored` occur only
 * in Hone's own exports.
 */
export const importLineSchema = z.strictObject({
  run: name.meta({ description: 'Name of the series that the attempt belongs to.' }),
  case: z
    .strictObject({ id: name, ...caseInputSchema.shape })
    .transform(({ input, ...others }) => ({ ...readInput(input), ...others }))
    .meta({
      description:
        'The case. Lines with the same `id` belong to one case. `tags`, `metadata` and `criteria` are optional.',
    }),
  attempt: integerBetween(1, MAX_ATTEMPTS_PER_RUN).meta({ description: 'Which attempt at the case it is, from 1.' }),
  output: textUpTo(1_000_000).meta({ description: 'Output of the attempt.' }),
  score: numberBetween(0, 1).nullable().default(null).meta({ description: 'Its score, from 0 to 1.' }),
  solved: z
    .boolean({ error: 'must be true, false or null' })
    .nullable()
    .default(null)
    .meta({ description: 'Whether it solves the case.' }),
  issues: z
    .array(issue)
    .max(200, { error: 'must be at most 200 issues' })
    .default([])
    .meta({ description: 'What is wrong: texts, or objects with `criterion` and `text`.' }),
  feedback: textUpTo(100_000).default('').meta({ description: 'Feedback that the model got.' }),
  lesson: textUpTo(20_000).nullable().default(null).meta({ description: 'The lesson that was written after it.' }),
  model: name.nullable().default(null).meta({ description: 'The model that made it.' }),
  tokens: z
    .union(
      [
        tokenCount.transform((output) => ({ input: 0, output })),
        z.strictObject({ input: tokenCount, output: tokenCount }),
      ],
      {
        error: 'must be a whole number, or {"input": …, "output": …}',
      },
    )
    .nullable()
    .default(null)
    .meta({ description: 'Tokens. A bare number counts as output.' }),
  costUsd: numberBetween(0, MAX_NUMBER).nullable().default(null).meta({ description: 'Cost in US dollars.' }),
  at: storedTime('must be a time as ISO 8601, such as 2026-01-31T12:00:00Z', { offset: true })
    .transform((moment) => new Date(moment).toISOString())
    .nullable()
    .default(null)
    .meta({ description: 'When it was made, as ISO 8601.' }),
  experiment: z
    .strictObject({ name, version: integerBetween(1, 1_000_000), settings: settingsSchema })
    .optional()
    .meta({ description: 'In exports, on the first line of each settings version: its name and settings.' }),
  stored: storedAttemptSchema
    .optional()
    .meta({ description: 'In exports: everything that Hone stores, so that an import recreates the same history.' }),
});
export type ImportLine = z.output<typeof importLineSchema>;

/** Parses one line of an import. A problem's `field` is the column where the line stops being JSON, otherwise the invalid field. */
export function readImportLine(text: string): Result<ImportLine> {
  const value = parseJson(text);
  if (value === undefined) {
    const error = findJsonError(text);
    const found = error === null ? '' : `: unexpected ${error.found}`;
    return fail('invalid', `is not JSON${found}`, error === null ? null : `column ${error.column}`);
  }
  if (!isRecord(value)) return fail('invalid', 'is not a JSON object');
  const parsed = parseInput(importLineSchema, value);
  return parsed.ok ? succeed(parsed.value) : parsed;
}
