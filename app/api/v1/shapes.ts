import { z } from 'zod';
import { batchReportSchema } from '#lib/measures/batch-report.ts';
import { comparedCaseSchema } from '#lib/measures/compared-case.ts';
import { comparisonSchema } from '#lib/measures/comparison-view.ts';
import { experimentFlagSchema } from '#lib/measures/experiment-flags.ts';
import { insightsSchema } from '#lib/measures/insights.ts';
import { judgeAgreementSchema } from '#lib/measures/judge-agreement.ts';
import { rescoreReportSchema } from '#lib/measures/rescore-report.ts';
import { reviewersSchema } from '#lib/measures/reviewers.ts';
import { timeLeftSchema } from '#lib/measures/time-left.ts';
import { trialReportSchema } from '#lib/measures/trial-report.ts';
import { tuningSummarySchema } from '#lib/measures/tuning-summary.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '#lib/models/provider-configuration.ts';
import { BASE_TYPES } from '#lib/reflection/agents/base-settings.ts';
import { mcpServerViewSchema, mcpTestSchema, offeredToolSchema } from '#lib/reflection/agents/mcp-server-view.ts';
import { apiTokenSchema } from '#lib/reflection/api-token.ts';
import { auditEntrySchema } from '#lib/reflection/audit-entry.ts';
import { backupScheduleViewSchema } from '#lib/reflection/backup-schedule.ts';
import { callRecordSchema, callSummarySchema } from '#lib/reflection/call-record.ts';
import { caseCriteriaSchema } from '#lib/reflection/case-criteria.ts';
import { importReportSchema } from '#lib/reflection/datasets/import-report.ts';
import { promptfooImportSchema } from '#lib/reflection/datasets/promptfoo-import.ts';
import { CONTROL_KINDS, controlKindSchema, experimentOriginSchema } from '#lib/reflection/experiment-origin.ts';
import { DECIDERS, SPLITS } from '#lib/reflection/history.ts';
import { inboxClaimSchema, inboxRunSchema, inboxSchema } from '#lib/reflection/inbox-item.ts';
import { LESSON_STATUSES } from '#lib/reflection/lesson-kinds.ts';
import { LESSON_ADMISSIONS } from '#lib/reflection/lesson-library.ts';
import { lessonDetailSchema, lessonListItemSchema } from '#lib/reflection/lesson-record.ts';
import { monthUseSchema } from '#lib/reflection/month-budget.ts';
import { noteSchema } from '#lib/reflection/note.ts';
import { outputHitSchema } from '#lib/reflection/output-hit.ts';
import { keptDraftSchema } from '#lib/reflection/prompt-draft.ts';
import { proofEventSchema } from '#lib/reflection/prompt-proof.ts';
import {
  movedLabelSchema,
  promptDetailSchema,
  promptListItemSchema,
  promptTextSchema,
} from '#lib/reflection/prompt-record.ts';
import { providerTestSchema } from '#lib/reflection/provider-test.ts';
import { queuePlaceSchema } from '#lib/reflection/queue-place.ts';
import { refusedParameterSchema } from '#lib/reflection/refused-parameter.ts';
import { purgedSchema, retentionViewSchema } from '#lib/reflection/retention.ts';
import { retrospectiveSchema } from '#lib/reflection/retrospective-record.ts';
import { ruleProposalSchema } from '#lib/reflection/rule-proposal.ts';
import { runEstimateSchema } from '#lib/reflection/run-estimate.ts';
import { runImportSchema } from '#lib/reflection/run-import.ts';
import { runLessonsSchema } from '#lib/reflection/run-lessons.ts';
import {
  critiqueRecordSchema,
  decisionRecordSchema,
  RUN_STATUSES,
  runRecordSchema,
} from '#lib/reflection/run-record.ts';
import { settingsSchema } from '#lib/reflection/settings.ts';
import { settingsWarningSchema } from '#lib/reflection/settings-contradictions.ts';
import { stopAllStateSchema } from '#lib/reflection/stop-all.ts';
import { backupsSchema, storedBackupSchema } from '#lib/reflection/stored-backup.ts';
import {
  changedMemberSchema,
  invitationSchema,
  memberSchema,
  memberSessionSchema,
} from '#lib/reflection/team/member.ts';
import { assignmentsSchema, lessonOpinionsSchema, lessonPeopleSchema } from '#lib/reflection/team-work.ts';
import { triedCriterionSchema } from '#lib/reflection/tried-criterion.ts';
import { triedRecallSchema } from '#lib/reflection/tried-recall.ts';
import { listedTrySchema } from '#lib/reflection/tuning-record.ts';
import { webhookDeliverySchema } from '#lib/reflection/webhook-delivery.ts';

const id = z.guid();
const time = z.iso.datetime();
const count = z.int().min(0);
const statistic = z.object({ mean: z.number(), n: count }).nullable();
const scores = z.array(z.number().nullable());

function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

const caseShape = z.object({
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: caseCriteriaSchema.nullable().optional(),
});

const datasetRow = z.object({
  id,
  name: z.string(),
  caseCount: count,
  latestVersion: count,
  train: count.meta({ description: 'Cases with the tag train; those with none of the three tags are not divided.' }),
  validation: count,
  heldOut: count,
  withReference: count,
  createdAt: time,
  updatedAt: time,
});

const experimentRow = z.object({
  id,
  name: z.string(),
  sample: z.boolean(),
  origin: experimentOriginSchema,
  control: controlKindSchema.nullable(),
  mode: z.string(),
  base: z.enum(BASE_TYPES).meta({ description: 'What makes its attempts.' }),
  models: z.array(z.string()),
  latestVersion: count,
  runCount: count,
  ended: count.meta({ description: 'Those of which nothing was scored, nor accepted by a person, left out.' }),
  unscored: count.meta({ description: 'Ended runs that are left out.' }),
  solved: count,
  waiting: count.meta({ description: 'Runs that wait for a person.' }),
  underWay: count.meta({ description: 'Runs that are queued or running.' }),
  flag: experimentFlagSchema.shape.flag.nullable(),
  dataset: z.string().nullable().meta({ description: 'What its newest batch ran over.' }),
  firstScore: statistic,
  bestScore: statistic,
  costUsd: z.number(),
  unpriced: z.boolean(),
  costPerPointUsd: z
    .number()
    .nullable()
    .meta({ description: 'Of a gain of 0.10 in score; null where nothing was gained.' }),
  qualityThreshold: z.number(),
  lastRunAt: time.nullable(),
  practice: z.boolean(),
  selfJudged: z.boolean().meta({ description: 'A model that writes its outputs judges them too.' }),
  recentScores: scores,
  meanScores: scores.meta({ description: 'The mean by version, of the newest ended runs of the latest settings.' }),
  createdAt: time,
});

const runRow = z.object({
  id,
  number: count,
  experimentId: id,
  experimentName: z.string(),
  input: z.string().meta({ description: 'Its first 200 characters.' }),
  status: z.enum(RUN_STATUSES),
  convergenceReason: z.string().nullable(),
  endedBy: z
    .object({ by: z.enum(DECIDERS), actor: z.string().nullable() })
    .nullable()
    .meta({ description: 'Who accepted or stopped it; null where its rules ended it.' }),
  success: z.boolean(),
  iterationsUsed: count,
  versionCount: count,
  firstScore: z.number().nullable(),
  bestScore: z.number().nullable(),
  scores,
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number(),
  unpriced: z.boolean(),
  lessonCount: count,
  createdAt: time,
  finishedAt: time.nullable(),
});

const modelPrices = z.object({ inputPerMillionUsd: z.number(), outputPerMillionUsd: z.number() });
const providerTest = providerTestSchema.extend({ at: time });

const provider = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().nullable(),
  hasKey: z.boolean(),
  keyLastFour: z.string().nullable(),
  source: z.enum(['built_in', 'environment', 'stored']),
  maxConcurrency: z.int().nullable(),
  maxRequestsPerMinute: z.int().nullable(),
  prices: z.record(z.string(), modelPrices),
  toolsBy: z.enum(['native', 'prompt']).nullable(),
  timeoutSeconds: z
    .int()
    .nullable()
    .meta({ description: `Time limit of a call; null: ${DEFAULT_TIMEOUT_SECONDS}.` }),
  refused: z
    .array(refusedParameterSchema)
    .meta({ description: 'Parameters that its models refused and that are no longer sent.' }),
  test: providerTest.nullable(),
  use: z.object({
    experiments: count,
    prompts: count,
    models: z.array(z.object({ model: z.string(), uses: count, roles: z.array(z.string()) })),
    named: z
      .array(
        z.object({
          kind: z.enum(['experiment', 'prompt']),
          id: z.string(),
          name: z.string(),
          roles: z.array(z.string()),
        }),
      )
      .meta({ description: 'The last changed of them.' }),
  }),
  usedByExperiments: count,
});

const localServer = z.object({
  name: z.string(),
  label: z.string(),
  baseUrl: z.string(),
  state: z.enum(['found', 'needs_key', 'other', 'nothing']),
  models: z.array(z.string()),
  addedAs: z.string().nullable().meta({ description: 'The provider that stands for it already.' }),
});

const priceRow = z.object({
  provider: z.string(),
  model: z.string(),
  own: modelPrices.nullable(),
  list: modelPrices
    .extend({
      from: z.string().meta({ description: 'Whose list it is.' }),
      url: z.string().nullable(),
      tiered: z.boolean().meta({ description: 'Long prompts cost more than this.' }),
    })
    .nullable(),
  uses: count,
  roles: z.array(z.string()),
});

const webhook = z.object({
  name: z.string(),
  url: z.string(),
  usedBy: z.array(z.object({ id, name: z.string() })),
  createdAt: time,
  updatedAt: time,
});

const trialEstimate = z.object({
  cases: count,
  leftOut: count.meta({ description: 'Cases the lesson was learned from, and inputs named twice.' }),
  runs: count.meta({ description: 'Of both sides.' }),
  calls: z.object({ lowest: count, highest: count }).meta({ description: 'About, of all runs.' }),
});

const reviewedLesson = z.object({ id, status: z.enum(LESSON_STATUSES), admission: z.enum(LESSON_ADMISSIONS) });

/** What the routes answer, by the name it has in the OpenAPI document. The API's tests read every answer with these. */
export const ANSWERS = {
  Error: z.object({
    error: z.object({ code: z.string(), message: z.string(), field: z.string().optional(), id: z.string().optional() }),
  }),
  TriedCriterion: triedCriterionSchema,
  ProofEvent: proofEventSchema,
  KeptDraft: keptDraftSchema,
  LeftDraft: z.object({ left: z.boolean() }),
  Created: z.object({
    id,
    version: count,
    warnings: z
      .array(settingsWarningSchema)
      .optional()
      .meta({ description: 'Settings that keep each other from doing what they say; left out for none.' }),
  }),
  Prompts: page(promptListItemSchema),
  Prompt: promptDetailSchema,
  PromptText: promptTextSchema,
  SavedPrompt: z.object({ name: z.string(), version: z.int().min(1) }),
  ChangedPrompt: promptDetailSchema.pick({ name: true, setup: true }),
  MovedLabel: movedLabelSchema,
  RunImport: runImportSchema,
  CreatedDataset: z.object({
    id,
    caseCount: count,
    version: count,
    added: count,
    leftOut: z.object({ wrong: count, same: count }),
  }),
  ImportPreview: importReportSchema.extend({ caseCount: count }),
  PromptfooImport: promptfooImportSchema,
  ChangedDataset: z.object({ version: count, caseCount: count, added: count, changed: count, removed: count }),
  DividedDataset: z.object({ version: count, train: count, validation: count, heldOut: count }),
  Cases: page(
    caseShape.extend({
      number: count.meta({ description: 'The case keeps it; numbers of removed cases are not given again.' }),
      since: count.meta({ description: 'The version that made the case what it is.' }),
      split: z.enum(SPLITS).nullable(),
    }),
  ).extend({ total: count }),
  DatasetVersions: page(
    z.object({
      version: count,
      caseCount: count,
      added: count,
      changed: count,
      removed: count,
      actor: z.string().nullable(),
      message: z.string().nullable(),
      createdAt: time,
    }),
  ),
  CaseChanges: page(z.object({ number: count, before: caseShape.nullable(), after: caseShape.nullable() })),
  Datasets: page(datasetRow),
  Dataset: datasetRow.extend({ cases: z.array(caseShape).meta({ description: 'The first 200.' }) }),
  Experiments: page(experimentRow),
  Experiment: z.object({
    id,
    name: z.string(),
    sample: z.boolean(),
    origin: experimentOriginSchema,
    control: controlKindSchema.nullable().meta({ description: 'Of a control: what it changes.' }),
    parent: z
      .object({ id, name: z.string(), version: count })
      .nullable()
      .meta({ description: 'What it is a duplicate or a control of.' }),
    controls: z
      .array(z.object({ id, name: z.string(), control: controlKindSchema, parentVersion: count.nullable() }))
      .meta({ description: 'Its controls, the newest first.' }),
    latestVersion: count,
    createdAt: time,
    updatedAt: time,
    settings: settingsSchema,
    versions: z
      .array(
        z.object({ version: count, createdAt: time, actor: z.string().nullable(), message: z.string().nullable() }),
      )
      .meta({ description: 'Newest first, with who made each and what they said of it.' }),
    batches: z
      .array(
        z.object({
          id,
          total: count,
          repetitions: count,
          createdAt: time,
          experimentVersion: count,
          isBranch: z.boolean(),
          source: z.enum(['started', 'imported']),
          dataset: z.object({ id, name: z.string(), version: count.nullable() }).nullable(),
        }),
      )
      .meta({ description: 'The newest 20.' }),
    flags: z.array(experimentFlagSchema).meta({
      description:
        'Whether its criteria seem too hard or too easy, or its runs can’t be scored, by the ended runs of its latest version.',
    }),
  }),
  BlindPairs: z.object({
    items: z.array(
      z.object({
        pair: z.string().meta({ description: 'A name for the pair that tells nothing; it goes into the preference.' }),
        task: z.string(),
        left: z.string(),
        right: z.string(),
      }),
    ),
    judged: count.meta({ description: 'Pairs that the caller has judged.' }),
    remaining: count.meta({ description: 'Pairs that the caller may yet judge, with these.' }),
  }),
  Judged: z.object({ judged: count }),
  Agreement: judgeAgreementSchema,
  Started: z.object({ batchId: id, runIds: z.array(id) }),
  RunEstimate: runEstimateSchema,
  ControlEstimate: z.object({
    name: z.string(),
    control: z.enum(CONTROL_KINDS),
    budget: z
      .object({ maxTokens: count.nullable(), maxCostUsd: z.number().nullable() })
      .nullable()
      .meta({ description: 'Of one run: the most that a run of the batch spent; null where nothing is capped.' }),
    temperature: z.object({
      value: z.number().nullable(),
      raised: z.boolean().meta({ description: "The experiment's own would make all drafts alike." }),
    }),
    estimate: runEstimateSchema,
  }),
  StartedControl: z.object({
    experimentId: id,
    batchId: id,
    name: z.string(),
    runs: count,
    arms: z.array(z.string()).length(2).meta({ description: 'What GET /compare names the two by.' }),
  }),
  Note: noteSchema,
  Notes: page(noteSchema),
  OutputHits: page(outputHitSchema).extend({
    isIndexing: z.boolean().meta({ description: 'Some ended runs are not searchable yet.' }),
  }),
  Branched: z.object({ batchId: id, runId: id }),
  Batch: z.object({
    id,
    experimentId: id,
    experimentVersion: count,
    status: z.enum(['running', 'waiting', 'finished']),
    total: count.meta({ description: 'Runs.' }),
    repetitions: count.meta({ description: 'Runs of each case.' }),
    datasetId: id.nullable(),
    datasetVersion: count.nullable(),
    counts: z.record(z.enum(RUN_STATUSES), count),
    succeeded: count.meta({ description: 'Runs whose quality was met, or that a person accepted.' }),
    createdAt: time,
    report: batchReportSchema,
    timeLeft: timeLeftSchema.nullable().meta({
      description: 'At the pace of its last runs, with 95 % confidence; null where too few have ended to tell.',
    }),
  }),
  StopAll: stopAllStateSchema,
  LastStopAll: z.object({ last: stopAllStateSchema.nullable() }),
  StoppedBatch: z.object({ stopped: count }),
  ResumedBatch: z.object({ resumed: count }),
  Runs: page(runRow),
  Run: runRecordSchema.extend({
    tuning: tuningSummarySchema
      .nullable()
      .meta({ description: 'How its prompts did on its cases; null where the run tunes no prompt.' }),
  }),
  Tries: page(listedTrySchema),
  Reflected: z.object({ version: count, critique: critiqueRecordSchema }),
  RescoreReport: rescoreReportSchema,
  Rescores: z.object({ items: z.array(rescoreReportSchema) }),
  RunLessons: runLessonsSchema,
  Retrospective: retrospectiveSchema,
  Trials: z.object({ items: z.array(trialReportSchema) }),
  RuleProposal: ruleProposalSchema,
  TrialEstimate: trialEstimate,
  StartedTrial: trialEstimate.extend({ id, experimentId: id, batchWithoutId: id, batchWithId: id }),
  Retrospectives: z.object({ items: z.array(retrospectiveSchema) }),
  TriedRecall: triedRecallSchema,
  Decided: z.object({ decision: decisionRecordSchema }),
  Status: z.object({ status: z.enum(RUN_STATUSES) }),
  Inbox: inboxSchema,
  InboxCount: z.object({
    waiting: count,
    lessonsToReview: count,
    assigned: z
      .object({ runs: count, lessons: count })
      .meta({ description: 'Of these, what whoever asks was asked to look at.' }),
  }),
  InboxRun: inboxRunSchema,
  Claimed: z.object({
    claim: inboxClaimSchema
      .nullable()
      .meta({ description: 'Who came first of all who are on it; null where the run does not wait.' }),
  }),
  Released: z.object({ released: z.boolean() }),
  Deleted: z.object({ deleted: z.record(z.string(), count) }),
  Lessons: page(lessonListItemSchema),
  Lesson: lessonDetailSchema,
  ReviewedLesson: reviewedLesson,
  EditedLesson: reviewedLesson.extend({ editCount: count }),
  LessonComment: z.object({ id, actor: z.string(), text: z.string(), createdAt: time }),
  ImportedLessons: z.object({
    stored: count,
    present: count.meta({ description: 'Those that were in the library already, or twice in what came in.' }),
  }),
  Calls: page(callSummarySchema),
  Call: callRecordSchema,
  MonthBudget: monthUseSchema,
  Backups: backupsSchema,
  StoredBackup: storedBackupSchema,
  BackupSchedule: backupScheduleViewSchema,
  Retention: retentionViewSchema,
  Purged: purgedSchema,
  Providers: page(provider),
  Provider: provider,
  ProviderTest: providerTest,
  ApiTokens: z.object({ items: z.array(apiTokenSchema) }),
  ApiToken: apiTokenSchema,
  MadeApiToken: apiTokenSchema.extend({ token: z.string().meta({ description: 'Shown this once.' }) }),
  Members: z.object({ items: z.array(memberSchema) }),
  ChangedMember: changedMemberSchema,
  EndedSessions: z.object({ ended: count }),
  Invitations: z.object({ items: z.array(invitationSchema) }),
  MadeLink: z.object({
    id: z.uuid(),
    url: z.url().meta({ description: 'Shown this once: whoever opens it can use it.' }),
    expiresAt: z.iso.datetime(),
  }),
  WithdrawnLink: z.object({ id: z.uuid() }),
  MemberSessions: z.object({ items: z.array(memberSessionSchema) }),
  AuditEntries: page(auditEntrySchema),
  LocalServers: page(localServer),
  Prices: page(priceRow),
  Tools: page(offeredToolSchema),
  McpServers: page(mcpServerViewSchema),
  McpServer: mcpServerViewSchema,
  McpTest: mcpTestSchema,
  Webhooks: page(webhook),
  ChangedWebhook: webhook.extend({
    secret: z.string().nullable().meta({ description: 'Only where it was just made.' }),
  }),
  WebhookTest: z.object({
    ok: z.boolean(),
    message: z.string(),
    remedy: z.string().optional(),
    answered: z
      .enum(['score', 'decision'])
      .optional()
      .meta({ description: 'What it answered with, where that could be used.' }),
    score: z.number().min(0).max(1).optional(),
    decision: z.string().nullable().optional().meta({ description: 'null where it leaves the decision to others.' }),
    latencyMs: z.number(),
  }),
  Deliveries: page(webhookDeliverySchema),
  Resent: z.object({ id, state: z.literal('waiting') }),
  Comparison: comparisonSchema,
  ComparedCase: comparedCaseSchema,
  Insights: insightsSchema,
  Reviewers: reviewersSchema,
  Assignments: assignmentsSchema,
  LessonPeople: lessonPeopleSchema,
  LessonOpinions: lessonOpinionsSchema,
  QueuePlace: queuePlaceSchema,
  BatchQueue: z.object({ queued: count, first: queuePlaceSchema.nullable() }),
  Health: z
    .object({
      status: z.enum(['ok', 'degraded', 'unavailable']),
      database: z.string(),
      worker: z.string(),
      version: z.string(),
      reasons: z.array(z.string()).meta({ description: 'Why it is unavailable.' }),
      warnings: z.array(z.string()).meta({ description: 'What somebody should look at.' }),
    })
    .meta({ description: 'Who has not signed in (team mode) hears only the status.' }),
} satisfies Record<string, z.ZodType>;
export type AnswerName = keyof typeof ANSWERS;
