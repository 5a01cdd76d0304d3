import { z } from 'zod';
import { chatPromptProblem, PROMPT_ROLES } from '#lib/core/chat/chat-prompt.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { modelSettingsSchema } from '#lib/core/model-settings.ts';
import { responseSchemaSchema, toolDefinitionsSchema } from '#lib/core/prompt-options.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { integerBetween, numberBetween, promptTextSchema as templateSchema } from '#lib/core/setting-parts.ts';
import { modelReferenceSchema } from '#lib/core/settings.ts';
import { hasComponentLine } from '#lib/core/targets/component-texts.ts';
import { showValue } from '#lib/core/text-values.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import { LABEL_RULE, type PromptBody } from './prompt.ts';

const NAME_RULE =
  'must be 1 to 100 letters, digits, "-", "_", "." or "/", each part between slashes beginning with a letter or digit';

/** Name of a prompt, used by clients to request it: parts of letters, digits, `-`, `_` and `.`, separated by slashes. */
export const promptNameSchema = z
  .string({ error: (issue) => `${NAME_RULE}, got ${showValue(issue.input)}` })
  .trim()
  .max(100, { error: 'must be at most 100 characters' })
  .regex(/^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i, {
    error: (issue) => `${NAME_RULE}, got ${showValue(issue.input)}`,
  })
  // Its path would conflict with the form for new prompts.
  .refine((name) => name !== 'new', { error: 'must not be "new": that is the address of the form' });

/** Label of a version: `production`, `staging`, or a custom one. `latest` is not a label but the default without a label. */
export const labelSchema = z
  .string({ error: (issue) => `${LABEL_RULE}, got ${showValue(issue.input)}` })
  .trim()
  .max(40, { error: 'must be at most 40 characters' })
  .regex(/^[a-z0-9][\w.-]*$/i, { error: (issue) => `${LABEL_RULE}, got ${showValue(issue.input)}` })
  .refine((label) => label.toLowerCase() !== 'latest', {
    error: 'must not be "latest": the newest version is what one gets without a label',
  });

/** Number of a version, from 1. */
export const promptVersionNumberSchema = integerBetween(1, 1_000_000);

/** Text of a version: a template with `{{input}}` and `{{metadata.name}}`, or a chat prompt with role lines. */
export const promptVersionTextSchema = templateSchema
  .refine((text) => text.trim() !== '', { error: 'must not be empty' })
  .refine((text) => !templateVariables(text).some(({ name }) => name === 'reference'), {
    error: 'must not contain {{reference}}, because models that work on the task must not see it',
  })
  .superRefine((text, context) => {
    // In a text with several components, each component may have roles.
    const message = hasComponentLine(text) ? null : chatPromptProblem(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** Message of a version's author. */
export const versionMessageSchema = z
  .string({ error: 'must be a text' })
  .trim()
  .min(1, { error: 'must say in a few words what changed' })
  .max(300, { error: 'must be at most 300 characters' });

/** Reason for a label move, up to 500 characters. */
export const moveReasonSchema = z
  .string({ error: 'must be a text' })
  .trim()
  .max(500, { error: 'must be at most 500 characters' });

/** Setup for evaluating a prompt. Without dataset and criteria it can be edited and used but not evaluated. */
export const promptSetupSchema = z.strictObject({
  datasetId: z
    .guid({ error: (issue) => `must be the id of a dataset, got ${showValue(issue.input)}` })
    .toLowerCase()
    .nullable()
    .default(null),
  /** The scores of versions refer to the first model. */
  models: z
    .array(modelReferenceSchema)
    .min(1, { error: 'must name at least one model' })
    .max(4, { error: 'must name at most 4 models' })
    .refine(
      (models) =>
        new Set(models.map(({ provider, model }) => JSON.stringify([provider, model]))).size === models.length,
      {
        error: 'must not name a model twice',
      },
    )
    .default([{ provider: 'practice', model: 'practice-1' }]),
  /** Temperature of responses. Null means not sent. */
  temperature: numberBetween(0, 2).nullable().default(null),
  /** Temperature of judges. Null means 0 if responses have a temperature, and otherwise not sent. */
  evaluatorTemperature: numberBetween(0, 2).nullable().default(null),
  /** Model settings of answers and judges. Unset ones are not sent. */
  modelSettings: modelSettingsSchema.pick({ generate: true, evaluate: true }).prefault({}),
  /** System instructions sent with every call. They are not versioned. */
  instructions: templateSchema.default(''),
  criteria: z
    .array(criterionSchema)
    .max(50, { error: 'must contain at most 50 criteria' })
    .refine((criteria) => new Set(criteria.map(({ name }) => name)).size === criteria.length, {
      error: 'must not contain two criteria with the same name',
    })
    .default([]),
  evaluatorModel: modelReferenceSchema.nullable().default(null),
  qualityThreshold: numberBetween(0, 1).default(0.8),
});
export type PromptSetup = z.infer<typeof promptSetupSchema>;
/** Setup of a new prompt. Without models, the default models generate and judge. */
export const newPromptSetupSchema = promptSetupSchema.extend({
  models: promptSetupSchema.shape.models.removeDefault().optional(),
  evaluatorModel: promptSetupSchema.shape.evaluatorModel.removeDefault().optional(),
});
export type PromptSetupInput = z.input<typeof promptSetupSchema>;

/** Options of a stored prompt that are sent with its text. */
const storedOptions = {
  tools: toolDefinitionsSchema.meta({ description: 'Tools that the model may call. Your app runs them.' }),
  responseSchema: responseSchemaSchema
    .nullable()
    .meta({ description: 'JSON Schema of the answer. Null: the answer is free text.' }),
};

const id = z.guid();
const time = z.iso.datetime();
const count = z.int().min(0);
const number = z.int().min(1);
const labelledVersion = z.object({ label: z.string(), version: number });

/** Prompt in a list, without its texts. */
export const promptListItemSchema = z.object({
  name: z.string(),
  setup: promptSetupSchema,
  latestVersion: number,
  labels: z.array(labelledVersion),
  experiments: count.meta({ description: 'Experiments that tune it by their newest settings.' }),
  createdAt: time,
  updatedAt: time,
});
export type PromptListItem = z.infer<typeof promptListItemSchema>;

const version = {
  message: z.string(),
  parent: number.nullable().meta({ description: 'The version it was made from.' }),
  run: z.object({ id: id.nullable(), number: count.nullable(), version: count }).nullable().meta({
    description:
      'The tuning run and version that this text comes from. `id` and `number` are null after the run was deleted.',
  }),
  length: count.meta({ description: 'Characters of its text.' }),
  createdBy: z.string(),
  createdAt: time,
};

/** Prompt text for clients, with its placeholders. */
export const promptTextSchema = z.object({
  name: z.string(),
  version: number,
  labels: z.array(z.string()).meta({ description: 'The labels of this version.' }),
  text: z.string(),
  messages: z
    .array(z.object({ role: z.enum([...PROMPT_ROLES, 'history']), text: z.string() }))
    .nullable()
    .meta({
      description:
        'The messages of a chat prompt, with their variables. `history` marks the place of the messages of the case. Null for a plain prompt.',
    }),
  ...storedOptions,
  variables: z.array(z.string()).meta({ description: 'Variables in double braces, such as input.' }),
  ...version,
});
export type PromptText = z.infer<typeof promptTextSchema>;

/** Prompt with all its versions (without their texts), labels, label moves and uses. */
export const promptDetailSchema = z.object({
  name: z.string(),
  setup: promptSetupSchema,
  latestVersion: number,
  createdAt: time,
  updatedAt: time,
  versions: z.array(
    z.object({
      number,
      ...version,
      toolNames: z.array(z.string()).meta({ description: 'Names of its tools.' }),
      schemaName: z.string().nullable().meta({ description: 'Name of its response schema. Null if it has none.' }),
    }),
  ),
  labels: z.array(labelledVersion.extend({ movedBy: z.string(), movedAt: time })),
  moves: z
    .array(
      z.object({
        id: number,
        label: z.string(),
        version: number.nullable(),
        previous: number.nullable(),
        reason: z.string().nullable(),
        movedBy: z.string(),
        movedAt: time,
      }),
    )
    .meta({ description: 'Newest first, at most 200. `version` is null if the label was removed.' }),
  uses: z.array(z.object({ experimentId: id, name: z.string(), version: number, updatedAt: time })),
});
export type PromptDetail = z.infer<typeof promptDetailSchema>;
/** Version without its text. */
export type PromptVersion = PromptDetail['versions'][number];
export type PromptVersionText = Omit<PromptVersion, 'toolNames' | 'schemaName'> & PromptBody;
export type PromptLabel = PromptDetail['labels'][number];
/** Move of a label. `version` is null if the label was removed, `previous` if no version had it. */
export type PromptLabelMove = PromptDetail['moves'][number];
/** Experiment whose newest settings tune a version of the prompt. */
export type PromptUse = PromptDetail['uses'][number];

const compared = { version: number, against: number };
const share = z.number().min(0).max(1);
const judged = z.object({
  verdict: z.enum(['holds', 'loses']),
  ...compared,
  n: number,
  mean: share,
  againstMean: share,
  isNoise: z.boolean(),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('run'), runId: id }),
    z.object({ kind: z.literal('playground') }),
  ]),
});
const unproven = z.object({ verdict: z.literal('unproven'), ...compared, why: z.string() });

/**
 * Comparison of a version with the labeled one on the `n` held-out cases scored for both. `mean` is from 0 to 1. `loses`: its mean is
 * lower. `isNoise`: the difference could be chance. `unproven`: there are no such cases, and `why` says what is missing. `source` is the
 * origin of the scores.
 */
export type LabelEvaluation = z.infer<typeof judged> | z.infer<typeof unproven>;

/** Origin of held-out scores: a tuning run or the playground. */
export type EvaluationSource = z.infer<typeof judged>['source'];

const evaluationLabel = { words: z.string() };

/** Move of a label, with its held-out result. */
export const movedLabelSchema = z.object({
  name: z.string(),
  label: z.string(),
  version: number.nullable(),
  previous: number.nullable().meta({ description: 'The version that had the label before.' }),
  moved: z.boolean().meta({ description: 'False if the version already had the label.' }),
  move: number.nullable().meta({ description: 'The number of the move.' }),
  proof: z
    .discriminatedUnion('verdict', [judged.extend(evaluationLabel), unproven.extend(evaluationLabel)])
    .nullable()
    .meta({
      description:
        'How the version scores on held-out cases. Null if the label does not require it, or no version had the label.',
    }),
});
export type MovedLabel = z.infer<typeof movedLabelSchema>;

/** Draft that a person has not saved as a version. `updatedAt` is the time of the last save and identifies its state. */
const promptDraftSchema = z.object({
  text: z.string(),
  ...storedOptions,
  baseVersion: z
    .int()
    .nullable()
    .meta({ description: 'The version that the draft is based on. Null if there is none.' }),
  updatedAt: z.string(),
});
export type PromptDraft = z.infer<typeof promptDraftSchema>;

/**
 * Result of saving a draft: `kept`, or `changed` if another window saved or removed it meanwhile. Then nothing was overwritten, and `draft`
 * is the current one (null if it was saved as a version or deleted).
 */
export const keptDraftSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('kept'), updatedAt: z.string() }),
  z.object({ status: z.literal('changed'), draft: promptDraftSchema.nullable() }),
]);
export type KeptDraft = z.infer<typeof keptDraftSchema>;

/**
 * Mean score of a prompt version. `tried`: with its setup's first model on `n` of `of` cases of the dataset, without the held-out cases.
 * `run`: on the selection cases of the tuning run that created it.
 */
export type VersionScore = MeanInterval & ({ source: 'tried'; of: number } | { source: 'run' });

/** Scores by version number. Versions without scores are left out. */
export type VersionScores = Record<number, VersionScore>;

/** Returns the variable names of a prompt's text that are filled from a case, each once, in order of appearance. */
export function promptVariables(text: string): string[] {
  return templateVariables(text).flatMap(({ name, known }) => (known ? [name] : []));
}
