import type { z } from 'zod';
import { branchInputSchema } from '#lib/runs/branch-run.ts';
import { claimInputSchema } from '#lib/runs/claim-inbox-item.ts';
import { datasetInputSchema } from '#lib/runs/create-dataset.ts';
import { newExperimentSchema } from '#lib/runs/create-experiment.ts';
import { decisionInputSchema } from '#lib/runs/decision-input.ts';
import { ruleInputSchema } from '#lib/runs/lessons/add-to-instructions.ts';
import { lessonImportSchema } from '#lib/runs/lessons/import-lessons.ts';
import {
  lessonCommentSchema,
  lessonEditSchema,
  lessonInputSchema,
  lessonReviewSchema,
} from '#lib/runs/lessons/lesson-input.ts';
import { trialInputSchema } from '#lib/runs/lessons/plan-trial.ts';
import { promptInputSchema } from '#lib/runs/prompts/create-prompt.ts';
import { promptDraftInputSchema } from '#lib/runs/prompts/keep-prompt-draft.ts';
import { labelMoveSchema } from '#lib/runs/prompts/move-prompt-label.ts';
import { proofInputSchema } from '#lib/runs/prompts/plan-proof.ts';
import { promptVersionInputSchema } from '#lib/runs/prompts/save-prompt-version.ts';
import { promptChangeSchema } from '#lib/runs/prompts/update-prompt-setup.ts';
import { providerInputSchema, providerPatchSchema } from '#lib/runs/provider-input.ts';
import { reflectionInputSchema } from '#lib/runs/request-reflection.ts';
import { rescoreInputSchema } from '#lib/runs/rescore-version.ts';
import { preferenceInputSchema } from '#lib/runs/save-preference.ts';
import { startInputSchema } from '#lib/runs/start-batch.ts';
import { tryCriterionInputSchema } from '#lib/runs/try-criterion.ts';
import { tryRecallInputSchema } from '#lib/runs/try-recall.ts';
import { experimentChangeSchema } from '#lib/runs/update-experiment.ts';
import { webhookInputSchema, webhookPatchSchema } from '#lib/runs/webhooks/webhook-input.ts';
import {
  blindPairsQuery,
  claimQuery,
  comparedCaseQuery,
  compareQuery,
  datasetsQuery,
  deleteWebhookQuery,
  deliveriesQuery,
  eventsQuery,
  experimentsQuery,
  inboxQuery,
  leaveDraftQuery,
  lessonsExportQuery,
  lessonsQuery,
  promptsQuery,
  promptTextQuery,
  runsQuery,
  triesQuery,
  uploadQuery,
} from './queries.ts';
import type { AnswerName } from './shapes.ts';

/** What one route takes and answers. Errors and the ids in its path are not repeated here. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: BodyName;
  /** Other content types its body may have. */
  uploads?: string[];
  headers?: { name: string; description: string }[];
  status: number;
  answer: AnswerName | 'text/event-stream' | 'ProofEvents' | 'download' | 'object';
};

/** What the routes take, by the name it has in the OpenAPI document: the schemas that check it. */
export const BODIES = {
  ExperimentInput: newExperimentSchema,
  ExperimentChange: experimentChangeSchema,
  DatasetInput: datasetInputSchema,
  StartInput: startInputSchema,
  DecisionInput: decisionInputSchema,
  ClaimInput: claimInputSchema,
  BranchInput: branchInputSchema,
  RescoreInput: rescoreInputSchema,
  TrialInput: trialInputSchema,
  RuleInput: ruleInputSchema,
  ReflectionInput: reflectionInputSchema,
  PreferenceInput: preferenceInputSchema,
  TryCriterionInput: tryCriterionInputSchema,
  ProofInput: proofInputSchema,
  PromptDraftInput: promptDraftInputSchema,
  TryRecallInput: tryRecallInputSchema,
  LessonInput: lessonInputSchema,
  LessonEdit: lessonEditSchema,
  LessonReview: lessonReviewSchema,
  LessonRemark: lessonCommentSchema,
  LessonImport: lessonImportSchema,
  PromptInput: promptInputSchema,
  PromptChange: promptChangeSchema,
  PromptVersionInput: promptVersionInputSchema,
  LabelMove: labelMoveSchema,
  ProviderInput: providerInputSchema,
  ProviderChange: providerPatchSchema,
  WebhookInput: webhookInputSchema,
  WebhookChange: webhookPatchSchema,
} satisfies Record<string, z.ZodType>;
export type BodyName = keyof typeof BODIES;

const idempotencyKey = {
  name: 'Idempotency-Key',
  description: 'The same key with the same body answers the batch that the first call started.',
};
const lastEventId = {
  name: 'Last-Event-ID',
  description: 'Number of the last event received; the stream goes on after it.',
};

/** Every route of the API, as the OpenAPI document tells it; a test compares the list with the routes there are. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/datasets',
    summary: 'List datasets, newest first',
    query: datasetsQuery,
    status: 200,
    answer: 'Datasets',
  },
  {
    method: 'POST',
    path: '/datasets',
    summary: 'Store a dataset; a bad case or line is named and nothing is stored',
    query: uploadQuery,
    body: 'DatasetInput',
    uploads: ['application/jsonl', 'application/x-ndjson', 'text/csv'],
    status: 201,
    answer: 'CreatedDataset',
  },
  { method: 'GET', path: '/datasets/{id}', summary: 'A dataset and its first cases', status: 200, answer: 'Dataset' },
  {
    method: 'DELETE',
    path: '/datasets/{id}',
    summary: 'Delete a dataset; runs keep their cases',
    status: 200,
    answer: 'Deleted',
  },
  {
    method: 'GET',
    path: '/experiments',
    summary: 'List experiments, newest first',
    query: experimentsQuery,
    status: 200,
    answer: 'Experiments',
  },
  {
    method: 'POST',
    path: '/experiments',
    summary: 'Store an experiment',
    body: 'ExperimentInput',
    status: 201,
    answer: 'Created',
  },
  {
    method: 'POST',
    path: '/experiments/try-criterion',
    summary: 'Score an output by one criterion, as a run would; models are really asked, nothing is stored',
    body: 'TryCriterionInput',
    status: 200,
    answer: 'TriedCriterion',
  },
  {
    method: 'GET',
    path: '/experiments/{id}',
    summary: 'An experiment with its latest settings',
    status: 200,
    answer: 'Experiment',
  },
  {
    method: 'PATCH',
    path: '/experiments/{id}',
    summary: 'Change settings: makes a new version',
    body: 'ExperimentChange',
    status: 200,
    answer: 'Created',
  },
  {
    method: 'DELETE',
    path: '/experiments/{id}',
    summary: 'Delete an experiment with its runs',
    status: 200,
    answer: 'Deleted',
  },
  {
    method: 'POST',
    path: '/experiments/{id}/runs',
    summary: 'Start one run for each case',
    body: 'StartInput',
    headers: [idempotencyKey],
    status: 201,
    answer: 'Started',
  },
  {
    method: 'GET',
    path: '/experiments/{id}/blind-pairs',
    summary:
      'The next pairs of versions to be judged by the caller, without names or scores; from the newest 200 runs, each pair once',
    query: blindPairsQuery,
    status: 200,
    answer: 'BlindPairs',
  },
  {
    method: 'POST',
    path: '/experiments/{id}/preferences',
    summary: 'Say which of a pair is better; the first word on a pair stands',
    body: 'PreferenceInput',
    status: 201,
    answer: 'Judged',
  },
  {
    method: 'GET',
    path: '/experiments/{id}/agreement',
    summary: "How often the judge's scores agree with what people said of pairs they saw blind",
    status: 200,
    answer: 'Agreement',
  },
  {
    method: 'POST',
    path: '/prompts/{name}/proofs',
    summary:
      'Try texts of a prompt on cases and score the answers, one event a line; each answer is kept at once and paid for once, and leaving calls it off',
    body: 'ProofInput',
    status: 200,
    answer: 'ProofEvents',
  },
  {
    method: 'PUT',
    path: '/prompts/{name}/draft',
    summary: 'Keep what one is writing; nothing is written where it was changed elsewhere since',
    body: 'PromptDraftInput',
    status: 200,
    answer: 'KeptDraft',
  },
  {
    method: 'DELETE',
    path: '/prompts/{name}/draft',
    summary: "Leave one's draft",
    query: leaveDraftQuery,
    status: 200,
    answer: 'LeftDraft',
  },
  { method: 'GET', path: '/batches/{id}', summary: 'How far a batch is, and its report', status: 200, answer: 'Batch' },
  {
    method: 'POST',
    path: '/batches/{id}/stop',
    summary: 'Stop every run of a batch that has not ended; what is stored stays',
    status: 200,
    answer: 'StoppedBatch',
  },
  {
    method: 'POST',
    path: '/batches/{id}/resume',
    summary: 'Let the failed and stopped runs of a batch go on where they were; what ended otherwise is not touched',
    status: 200,
    answer: 'ResumedBatch',
  },
  { method: 'GET', path: '/runs', summary: 'List runs, newest first', query: runsQuery, status: 200, answer: 'Runs' },
  { method: 'GET', path: '/runs/{id}', summary: 'A run with its whole history', status: 200, answer: 'Run' },
  { method: 'DELETE', path: '/runs/{id}', summary: 'Delete a run; its lessons stay', status: 200, answer: 'Deleted' },
  {
    method: 'GET',
    path: '/runs/{id}/events',
    summary: "A run's events: the stored ones, then new ones as they come; 204 when there is nothing left to send",
    query: eventsQuery,
    headers: [lastEventId],
    status: 200,
    answer: 'text/event-stream',
  },
  {
    method: 'GET',
    path: '/runs/{id}/tries',
    summary: "What a tuning run's prompts made of its cases: by version and case, every attempt, with output and score",
    query: triesQuery,
    status: 200,
    answer: 'Tries',
  },
  {
    method: 'POST',
    path: '/runs/{id}/decisions',
    summary: 'Decide on a run that waits, give a score that it asks for, or override one',
    body: 'DecisionInput',
    status: 200,
    answer: 'Decided',
  },
  {
    method: 'POST',
    path: '/runs/{id}/claim',
    summary:
      'Say that you look at a waiting run, for two minutes or until you claim another; keeps nobody from deciding',
    body: 'ClaimInput',
    status: 200,
    answer: 'Claimed',
  },
  {
    method: 'DELETE',
    path: '/runs/{id}/claim',
    summary: 'Say that you no longer look at a run',
    query: claimQuery,
    status: 200,
    answer: 'Released',
  },
  {
    method: 'GET',
    path: '/inbox',
    summary: 'What waits for a person, longest first, with who is on it, and how many there are of each sort',
    query: inboxQuery,
    status: 200,
    answer: 'Inbox',
  },
  {
    method: 'GET',
    path: '/inbox/count',
    summary: 'How many runs, and lessons, wait for a person',
    status: 200,
    answer: 'InboxCount',
  },
  {
    method: 'GET',
    path: '/inbox/{id}',
    summary: 'A run with all that is needed to decide on it: its history and the settings it keeps',
    status: 200,
    answer: 'InboxRun',
  },
  {
    method: 'POST',
    path: '/runs/{id}/branch',
    summary:
      "Begin a new run of the same case with the text of one of its versions, in the experiment's present settings; not where each attempt starts afresh",
    body: 'BranchInput',
    status: 201,
    answer: 'Branched',
  },
  {
    method: 'POST',
    path: '/runs/{id}/reflections',
    summary: 'Ask at once what is wrong with a version; the critique is kept, and changes nothing of how a run ended',
    body: 'ReflectionInput',
    status: 200,
    answer: 'Reflected',
  },
  {
    method: 'POST',
    path: '/runs/{id}/versions/{number}/rescore',
    summary: 'Judge a stored version again, once or up to 20 times, beside the run; answers how its re-scores stand',
    body: 'RescoreInput',
    status: 202,
    answer: 'RescoreReport',
  },
  {
    method: 'GET',
    path: '/runs/{id}/rescores',
    summary: 'How far the re-scores of its versions spread',
    status: 200,
    answer: 'Rescores',
  },
  {
    method: 'POST',
    path: '/runs/{id}/retrospective',
    summary:
      'Look back over an ended run: one call over its whole course, made by a worker beside it, which leaves typed lessons as candidates',
    status: 202,
    answer: 'Retrospective',
  },
  {
    method: 'GET',
    path: '/runs/{id}/retrospectives',
    summary: 'The looks back over a run, and the lessons they left as they stand now',
    status: 200,
    answer: 'Retrospectives',
  },
  {
    method: 'POST',
    path: '/lessons/recall',
    summary:
      'What a run of an input would be given of the lessons: ranked by words, with the very part of the prompt; nothing is stored',
    body: 'TryRecallInput',
    status: 200,
    answer: 'TriedRecall',
  },
  {
    method: 'POST',
    path: '/lessons/{id}/instructions',
    summary:
      "Make a promoted principle a rule, or a promoted procedure a playbook, of an experiment's instructions, as a new version; or preview it",
    body: 'RuleInput',
    status: 200,
    answer: 'RuleProposal',
  },
  {
    method: 'POST',
    path: '/lessons/{id}/trials',
    summary:
      'Try a lesson on other cases than its source, with and without it: an experiment of its own with two batches of runs; see its estimate',
    body: 'TrialInput',
    status: 201,
    answer: 'StartedTrial',
  },
  {
    method: 'POST',
    path: '/lessons/{id}/trials/estimate',
    summary: 'What a trial would run and ask; nothing is stored',
    body: 'TrialInput',
    status: 200,
    answer: 'TrialEstimate',
  },
  {
    method: 'GET',
    path: '/lessons/{id}/trials',
    summary: 'The trials of a lesson, newest first: its lift with interval, and each case with and without it',
    status: 200,
    answer: 'Trials',
  },
  {
    method: 'GET',
    path: '/runs/{id}/lessons',
    summary: 'The lessons in the prompts of its versions, and those it wrote, as they stand now',
    status: 200,
    answer: 'RunLessons',
  },
  { method: 'POST', path: '/runs/{id}/stop', summary: 'Stop a run', status: 200, answer: 'Status' },
  {
    method: 'POST',
    path: '/runs/{id}/resume',
    summary: 'Go on with a run that failed or was stopped',
    status: 200,
    answer: 'Status',
  },
  {
    method: 'GET',
    path: '/lessons',
    summary: 'List lessons, newest first; by words, kind, status, scope, or what is to be done with them',
    query: lessonsQuery,
    status: 200,
    answer: 'Lessons',
  },
  {
    method: 'POST',
    path: '/lessons',
    summary: 'Store a lesson as a candidate, redacted and screened; the original is never stored',
    body: 'LessonInput',
    status: 201,
    answer: 'Lesson',
  },
  {
    method: 'GET',
    path: '/lessons/{id}',
    summary: 'A lesson with its edits, checks, uses, reviews and comments',
    status: 200,
    answer: 'Lesson',
  },
  {
    method: 'PATCH',
    path: '/lessons/{id}',
    summary: 'Change the text, fields or scope of a lesson; 409 where it was edited since you read it',
    body: 'LessonEdit',
    status: 200,
    answer: 'EditedLesson',
  },
  {
    method: 'DELETE',
    path: '/lessons/{id}',
    summary: 'Delete a lesson with all that hangs on it; 409 while the run that wrote it is under way',
    status: 200,
    answer: 'Deleted',
  },
  {
    method: 'POST',
    path: '/lessons/{id}/reviews',
    summary: 'Promote, reject, archive or restore a lesson; 409 with what was decided where it is decided already',
    body: 'LessonReview',
    status: 200,
    answer: 'ReviewedLesson',
  },
  {
    method: 'POST',
    path: '/lessons/{id}/comments',
    summary: 'Comment on a lesson',
    body: 'LessonRemark',
    status: 201,
    answer: 'LessonComment',
  },
  {
    method: 'POST',
    path: '/lessons/{id}/screen',
    summary: 'Screen a lesson that was staged, and bring it before the reviewers',
    status: 200,
    answer: 'ReviewedLesson',
  },
  {
    method: 'POST',
    path: '/lessons/import',
    summary:
      'Import lessons as candidates; what is there already makes no second copy, and of a bad line or file nothing is stored',
    body: 'LessonImport',
    uploads: ['application/jsonl', 'application/x-ndjson', 'text/markdown', 'application/x-tar'],
    status: 201,
    answer: 'ImportedLessons',
  },
  {
    method: 'GET',
    path: '/lessons/export',
    summary: 'The library as JSON Lines, or as a tar with a Markdown file for each lesson; import takes both back',
    query: lessonsExportQuery,
    status: 200,
    answer: 'download',
  },
  {
    method: 'GET',
    path: '/prompts',
    summary: 'List prompts, last changed first; by a part of their name',
    query: promptsQuery,
    status: 200,
    answer: 'Prompts',
  },
  {
    method: 'POST',
    path: '/prompts',
    summary: 'Store a prompt with its first version; 409 where the name is taken',
    body: 'PromptInput',
    status: 201,
    answer: 'SavedPrompt',
  },
  {
    method: 'GET',
    path: '/prompts/{name}',
    summary: 'The text of a prompt: by label, by version, or the newest; a slash in the name is written %2F',
    query: promptTextQuery,
    status: 200,
    answer: 'PromptText',
  },
  {
    method: 'PATCH',
    path: '/prompts/{name}',
    summary: 'Change what a prompt is tried with; parts that are left out stay',
    body: 'PromptChange',
    status: 200,
    answer: 'ChangedPrompt',
  },
  {
    method: 'DELETE',
    path: '/prompts/{name}',
    summary: 'Delete a prompt with all that hangs on it; runs that tuned it keep their texts',
    status: 200,
    answer: 'Deleted',
  },
  {
    method: 'GET',
    path: '/prompts/{name}/versions',
    summary: 'A prompt with its versions, labels, moves of labels, and the experiments that tune it',
    status: 200,
    answer: 'Prompt',
  },
  {
    method: 'POST',
    path: '/prompts/{name}/versions',
    summary: 'Save a version; 409 where a newer one was saved than you have seen',
    body: 'PromptVersionInput',
    status: 201,
    answer: 'SavedPrompt',
  },
  {
    method: 'PUT',
    path: '/prompts/{name}/labels/{label}',
    summary: 'Move a label to a version; production goes to one that loses on held-out cases only with a reason',
    body: 'LabelMove',
    status: 200,
    answer: 'MovedLabel',
  },
  {
    method: 'DELETE',
    path: '/prompts/{name}/labels/{label}',
    summary: 'Take a label off; its moves are kept',
    status: 200,
    answer: 'MovedLabel',
  },
  {
    method: 'GET',
    path: '/providers',
    summary: 'List the providers of models; keys never come back',
    status: 200,
    answer: 'Providers',
  },
  {
    method: 'POST',
    path: '/providers',
    summary: 'Store a provider; its key is write-only',
    status: 201,
    answer: 'Provider',
  },
  {
    method: 'PATCH',
    path: '/providers/{name}',
    summary: 'Change a provider; a changed base URL drops the stored key',
    body: 'ProviderChange',
    status: 200,
    answer: 'Provider',
  },
  { method: 'DELETE', path: '/providers/{name}', summary: 'Delete a provider', status: 200, answer: 'Deleted' },
  {
    method: 'POST',
    path: '/providers/{name}/test',
    summary: 'Ask a provider for something small',
    status: 200,
    answer: 'ProviderTest',
  },
  {
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhooks with the experiments that name them; secrets never come back',
    status: 200,
    answer: 'Webhooks',
  },
  {
    method: 'POST',
    path: '/webhooks',
    summary: 'Store a webhook; a secret that is made for it is answered this once',
    body: 'WebhookInput',
    status: 201,
    answer: 'ChangedWebhook',
  },
  {
    method: 'PATCH',
    path: '/webhooks/{name}',
    summary: 'Change the address or the secret of a webhook',
    body: 'WebhookChange',
    status: 200,
    answer: 'ChangedWebhook',
  },
  {
    method: 'DELETE',
    path: '/webhooks/{name}',
    summary: 'Delete a webhook; 409 with the experiments that name it',
    query: deleteWebhookQuery,
    status: 200,
    answer: 'Deleted',
  },
  {
    method: 'POST',
    path: '/webhooks/{name}/test',
    summary: 'Send a webhook a sample, once',
    status: 200,
    answer: 'WebhookTest',
  },
  {
    method: 'GET',
    path: '/webhooks/{name}/deliveries',
    summary: 'What a webhook was told of runs that wait, and what came of it, newest first',
    query: deliveriesQuery,
    status: 200,
    answer: 'Deliveries',
  },
  {
    method: 'POST',
    path: '/webhooks/{name}/deliveries/{id}/resend',
    summary: 'Send a delivery again whose run still waits for it; 409 where there is nothing left to decide',
    status: 202,
    answer: 'Resent',
  },
  {
    method: 'POST',
    path: '/webhooks/{name}/rotate',
    summary: 'Give a webhook a new secret, answered this once; the old one holds no longer',
    status: 200,
    answer: 'ChangedWebhook',
  },
  {
    method: 'GET',
    path: '/compare',
    summary:
      'Two to five experiments on the same cases, against one of them: counts, differences with intervals, verdicts, and the cases side by side',
    query: compareQuery,
    status: 200,
    answer: 'Comparison',
  },
  {
    method: 'GET',
    path: '/compare/cases/{key}',
    summary: 'What each of the compared experiments made of one case: result, criteria, and the lessons it was given',
    query: comparedCaseQuery,
    status: 200,
    answer: 'ComparedCase',
  },
  {
    method: 'GET',
    path: '/health',
    summary: 'Whether all parts work; 503 with the reasons when not',
    status: 200,
    answer: 'Health',
  },
  { method: 'GET', path: '/openapi.json', summary: 'This document', status: 200, answer: 'object' },
];
