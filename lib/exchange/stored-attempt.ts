import { z } from 'zod';
import { LONGEST_OBSERVATION, OBSERVATION_STATUSES } from '#lib/core/agents/agent-records.ts';
import {
  CRITIQUE_TRIGGERS,
  DECIDERS,
  DECISION_KINDS,
  HOOKS,
  ISSUE_SCOPES,
  STOP_REASONS,
  VERSION_ORIGINS,
} from '#lib/core/history.ts';
import { issueIdSchema } from '#lib/core/issues/identify-issues.ts';
import { REFLECTION_KINDS } from '#lib/core/lesson-schema.ts';
import { seenSchema } from '#lib/core/run-record.ts';
import { REVISION_STRATEGIES } from '#lib/core/settings.ts';
import { failureColumn } from '#lib/runs/run-rows.ts';

const LONGEST_TEXT = 1_000_000;
const MOST_RECORDS = 2_000;
/** Turns, or observations, of one attempt, its workers' included. */
const MOST_OF_A_TRAJECTORY = 20_000;

const text = z.string().max(LONGEST_TEXT);
const count = z.int().min(0).max(2_000_000_000);
const score = z.number().min(0).max(1);
const moment = z.iso.datetime();
const money = z.number().min(0).max(1_000_000_000).nullable();
const spend = {
  tokenUsage: z
    .strictObject({ input: count, output: count })
    .transform(({ input, output }) => ({ input, output, total: input + output })),
  costUsd: money,
  durationMs: count,
};
const made = { createdAt: moment, step: count };
/** Which of the run's records of its kind it is, from 0. */
const place = { place: count };

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(MOST_RECORDS);
}

const issues = listOf(
  z.strictObject({
    criterion: text.nullable(),
    text,
    scope: z.enum(ISSUE_SCOPES).optional(),
    id: issueIdSchema.optional(),
  }),
);

const evaluation = z.strictObject({
  by: z.enum(['machine', 'person']),
  actor: text.nullable(),
  reason: text.nullable(),
  status: z.enum(['scored', 'partial']),
  overallScore: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  reasons: z.record(z.string(), text),
  satisfactory: z.boolean(),
  issues,
  suggestions: listOf(text),
  confidence: score.nullable(),
  feedback: text,
  detail: text,
  answer: text.nullable(),
  sameModelJudge: z.boolean(),
  copiedFrom: z.int().nullish(),
  proposed: z.record(z.string(), score).optional(),
  ...place,
  ...spend,
  ...made,
});

const critique = z.strictObject({
  trigger: z.enum(CRITIQUE_TRIGGERS),
  text,
  issues,
  suggestions: listOf(text),
  ...place,
  ...spend,
  ...made,
});

const lesson = z.strictObject({
  kind: z.enum(['lesson', ...REFLECTION_KINDS]),
  text,
  fields: z.record(z.string(), text),
  withheld: z.boolean().optional(),
  ...place,
  ...spend,
  ...made,
});

const decision = z.strictObject({
  hook: z.enum(HOOKS),
  version: count.nullable(),
  iteration: count,
  decision: z.enum(DECISION_KINDS),
  by: z.enum(DECIDERS),
  actor: text.nullable(),
  reason: text.nullable(),
  score: score.nullable(),
  criterion: text.nullable(),
  guidance: text.nullable(),
  // Exports from before agents used tools have none.
  toolCallId: text.nullable().default(null),
  toolArguments: text.nullable().default(null),
  seen: seenSchema.nullable(),
  /** Which of the run's pauses it answered, from 0: pauses get new ids wherever they are imported. */
  pause: count.nullable(),
  at: moment,
  step: count,
});

/** `own`: which of the run's own lessons it is, by its place; else `lessonId` names it in the library that the run had. */
const recalled = z.strictObject({
  own: count.nullable(),
  lessonId: text.nullable(),
  rank: count,
  score: z.number().nullable(),
});

/** A worker's turns carry the delegation that they answer. */
const turn = z.strictObject({
  number: count,
  agent: text,
  delegation: text.nullable(),
  thought: text,
  calls: listOf(z.strictObject({ id: text, tool: text, arguments: text })),
  // Exports from before they were counted tell none.
  callsLeftOut: count.default(0),
  answer: text.nullable(),
  finishReason: text,
  ...spend,
  ...made,
});
const turns = trajectoryOf(turn, ({ delegation, number }) => `${number} ${delegation ?? ''}`, 'a turn');

const observation = z.strictObject({
  callId: text,
  tool: text,
  status: z.enum(OBSERVATION_STATUSES),
  text: z.string().max(LONGEST_OBSERVATION),
  durationMs: count,
  ...made,
});
const observations = trajectoryOf(observation, ({ callId }) => callId, 'an observation');

/** In the order of the run, each there once. Exports from before there were agents have none. */
function trajectoryOf<Item extends z.ZodType>(item: Item, keyOf: (one: z.output<Item>) => string, what: string) {
  return z
    .array(item)
    .max(MOST_OF_A_TRAJECTORY)
    .refine((items) => new Set(items.map(keyOf)).size === items.length, { error: `must not hold ${what} twice` })
    .default([]);
}

/** What a run is beside its attempts; stands on the line of its first one. */
const run = z.strictObject({
  experimentVersion: count.min(1),
  status: z.enum(['finished', 'failed', 'stopped']),
  convergenceReason: z.enum(STOP_REASONS),
  alsoHeld: listOf(z.enum(STOP_REASONS)),
  success: z.boolean(),
  finalVersion: count.nullable(),
  failure: failureColumn.nullable(),
  decisions: listOf(decision),
  /** Critiques of a version that never came to be, with its number. */
  critiques: listOf(critique.extend({ version: count })),
  /** What an agent did on the way to the version after the last: the run ended before there was one. */
  turns,
  observations,
  /** All calls, those included that left no record. */
  tokenUsage: spend.tokenUsage,
  costUsd: z.number().min(0).max(1_000_000_000),
  unpriced: z.boolean(),
  calls: count,
  activeMs: z.number().min(0).max(2_000_000_000),
  step: count,
  createdAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment,
});

/**
 * All that Hone keeps of an attempt beyond the plain import line, as it exports it, so that an import gives the same history. Lessons that
 * were recalled from a library are told but not taken: they belong to another one. Model calls are no part of it.
 */
export const storedAttemptSchema = z.strictObject({
  iteration: count,
  origin: z.enum(VERSION_ORIGINS).exclude(['given']),
  parents: listOf(count),
  outputDropped: z.boolean(),
  strategy: z.enum(REVISION_STRATEGIES).nullable(),
  strategyNote: text.nullable(),
  improvementsApplied: listOf(text),
  finishReason: text,
  interrupted: z.boolean(),
  recalledLessons: listOf(recalled),
  ...spend,
  ...made,
  evaluations: listOf(evaluation),
  critiques: listOf(critique),
  lessons: listOf(lesson),
  turns,
  observations,
  run: run.optional(),
});
export type StoredAttempt = z.output<typeof storedAttemptSchema>;
export type StoredAttemptInput = z.input<typeof storedAttemptSchema>;
export type StoredRunFacts = NonNullable<StoredAttempt['run']>;
