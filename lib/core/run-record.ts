import { z } from 'zod';
import { toolCallSchema } from './agents/agent-records.ts';
import { caseSchema } from './case.ts';
import {
  critiqueSchema,
  decisionSchema,
  evaluationSchema,
  observationSchema,
  pauseSchema,
  turnSchema,
  versionSchema,
  writtenLessonSchema,
} from './history.ts';
import { ISSUE_STATES } from './issues/open-issues.ts';
import { MODEL_FAILURE_KINDS } from './model-request.ts';
import { RUN_STATUSES } from './run-statuses.ts';
import { STOP_REASONS } from './stop-reasons.ts';
import { spendSchema, tokenUsageSchema } from './token-usage.ts';

/** Causes of a failed run, as far as they determine the remedy. */
export const FAILURE_CAUSES = [
  ...MODEL_FAILURE_KINDS,
  'no_reference',
  'unreadable_judgement',
  'unscored',
  'internal_error',
] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

const issueRecordSchema = z.object({
  id: z.string().meta({ description: 'Issues of a run with the same id are one issue, even if the wording differs.' }),
  text: z.string(),
  criterion: z.string().nullable(),
  state: z.enum(['opened', 'open', 'again']),
});

/** One issue across the versions of a run. See `issueLedger`. */
const ledgerRowSchema = z.object({
  id: z.string(),
  text: z.string(),
  criterion: z.string().nullable(),
  states: z.record(z.string(), z.enum(ISSUE_STATES)).meta({
    description: 'The state of the issue in each version, by version number.',
  }),
});

export const evaluationRecordSchema = evaluationSchema
  .omit({ version: true, feedback: true, answer: true, step: true })
  .extend({
    issues: z.array(issueRecordSchema),
    /** The version with identical text that this score was copied from, without judging again. */
    copiedFrom: z.int().nullable().default(null),
  });
export type EvaluationRecord = z.infer<typeof evaluationRecordSchema>;

export const critiqueRecordSchema = critiqueSchema.omit({ version: true, step: true });
export type CritiqueRecord = z.infer<typeof critiqueRecordSchema>;

/** The version may not exist yet. */
const turnRecordSchema = turnSchema.omit({ step: true }).extend({ calls: z.array(toolCallSchema) });
export type TurnRecord = z.infer<typeof turnRecordSchema>;

const observationRecordSchema = observationSchema.omit({ step: true }).extend({
  /** The whole text, or its first 1,000 characters if only the start was requested. */
  text: z.string(),
  /** Length of the whole text in characters. */
  length: z.int(),
});
export type ObservationRecord = z.infer<typeof observationRecordSchema>;

export const versionRecordSchema = versionSchema.omit({ step: true }).extend({
  /** True if the model reached its token limit before the end of the output. */
  cutOff: z.boolean(),
  evaluations: z.array(evaluationRecordSchema),
  critiques: z.array(critiqueRecordSchema),
  /** Includes its evaluations and its critique or lesson. */
  totalSpend: spendSchema,
});
export type VersionRecord = z.infer<typeof versionRecordSchema>;

export const decisionRecordSchema = decisionSchema.omit({ step: true });

const lessonRecordSchema = writtenLessonSchema
  .pick({ id: true, version: true, kind: true, text: true, fields: true })
  .extend({
    withheld: z.boolean().meta({
      description:
        'True if the screening flagged the lesson when the run wrote it. Prompts of the run then do not contain it.',
    }),
  });

/** A run as returned by the API and shown on the pages: the whole history, with versions referenced by number. */
export const runRecordSchema = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentVersion: z.int(),
  batchId: z.string(),
  /** The version of another run that the first version was copied from. The run is null if it was deleted or the branch was imported. */
  branchedFrom: z.object({ runId: z.string().nullable(), number: z.int().nullable(), version: z.int() }).nullable(),
  case: caseSchema.extend({
    criteria: caseSchema.shape.criteria.meta({
      description: 'Criteria of the case that differ from the criteria of the experiment.',
    }),
  }),
  status: z.enum(RUN_STATUSES),
  convergenceReason: z.enum(STOP_REASONS).nullable(),
  alsoHeld: z.array(z.enum(STOP_REASONS)),
  success: z.boolean(),
  failure: z
    .object({
      kind: z.string(),
      cause: z
        .enum(FAILURE_CAUSES)
        .nullable()
        .default(null)
        .meta({ description: 'Cause of the failure. It determines what a person can do.' }),
      role: z.string().nullable(),
      provider: z.string().nullable().default(null).meta({ description: 'The provider of the failed call.' }),
      model: z.string().nullable().default(null),
      message: z.string(),
      remedy: z.string(),
    })
    .nullable(),
  iterationsUsed: z.int(),
  executionTimeMs: z.int(),
  bestVersion: z.int().nullable().meta({
    description: 'The version that the best-version rule picks among the fully scored ones. Null if there are none.',
  }),
  finalVersion: z.int().nullable().meta({
    description: 'The accepted version, otherwise the last one, scored or not. Null until the run has ended.',
  }),
  bestOutput: z
    .string()
    .nullable()
    .meta({ description: 'Null if there is no best version, or its text was not kept.' }),
  finalOutput: z.string().nullable(),
  /** Version selected by each best-version rule. Null if none is fully scored. */
  bestByRule: z.record(z.string(), z.int().nullable()),
  tokenUsage: tokenUsageSchema,
  costUsd: z.number(),
  /** True if a call had no known price. `costUsd` excludes it. */
  unpriced: z.boolean(),
  practice: z.boolean(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  lastEvent: z.int(),
  versions: z.array(versionRecordSchema),
  /** All issues of the versions, in order of first appearance. */
  issues: z.array(ledgerRowSchema),
  /** Turns of agents towards versions, including those in progress. Empty if attempts are single calls. */
  turns: z.array(turnRecordSchema),
  observations: z.array(observationRecordSchema),
  /** Critiques of a version that is in progress, or that was never made. */
  openCritiques: z.array(critiqueRecordSchema.extend({ version: z.int() })),
  decisions: z.array(decisionRecordSchema),
  lessons: z.array(lessonRecordSchema),
  waitingFor: pauseSchema.nullable(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;
