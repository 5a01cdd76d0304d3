import { z } from 'zod';
import { criterionSchema } from '#lib/core/criterion.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { integerBetween, numberBetween, promptTextSchema } from '#lib/core/setting-parts.ts';
import { modelReferenceSchema } from '#lib/core/settings.ts';
import { showValue } from '#lib/core/text-values.ts';

/*
 * What pages, programs and use cases know of the library of prompts. Where it is read and written:
 *
 *   lib/prompts/list-prompts.ts         listPrompts(database, { search }, page): Promise<Page<PromptListItem>>
 *   lib/prompts/queries.ts          findPrompt(database, name): Promise<PromptDetail | null>
 *   lib/prompts/queries.ts  findPromptVersion(database, name, by): Promise<PromptVersionText | null>, by number, label, or the newest
 *   lib/runs/prompts/*.ts          one verb a file
 *   GET /api/v1/prompts/{name}?label=production
 */

/** The label of the version that programs are meant to use; it is guarded by the held-out cases. */
export const PRODUCTION = 'production';
/** Labels that are always offered; any others are a team's own. */
export const USUAL_LABELS: readonly string[] = [PRODUCTION, 'staging'];

const NAME_RULE =
  'must be 1 to 100 letters, digits, "-", "_", "." or "/", each part between slashes beginning with a letter or digit';

/** The name of a prompt, which programs ask for it by: parts of letters, digits, `-`, `_` and `.`, between slashes. */
export const promptNameSchema = z
  .string({ error: (issue) => `${NAME_RULE}, got ${showValue(issue.input)}` })
  .trim()
  .max(100, { error: 'must be at most 100 characters' })
  .regex(/^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i, {
    error: (issue) => `${NAME_RULE}, got ${showValue(issue.input)}`,
  })
  // Its page would stand behind the form for new prompts.
  .refine((name) => name !== 'new', { error: 'must not be "new": that is the address of the form' });

const LABEL_RULE = 'must be 1 to 40 letters, digits, "-", "_" or ".", beginning with a letter or digit';

/** A label of a version: `production`, `staging`, or a team's own. `latest` is no label: it is what one gets without any. */
export const labelSchema = z
  .string({ error: (issue) => `${LABEL_RULE}, got ${showValue(issue.input)}` })
  .trim()
  .max(40, { error: 'must be at most 40 characters' })
  .regex(/^[a-z0-9][\w.-]*$/i, { error: (issue) => `${LABEL_RULE}, got ${showValue(issue.input)}` })
  .refine((label) => label.toLowerCase() !== 'latest', {
    error: 'must not be "latest": the newest version is what one gets without a label',
  });

/** The number of a version: they count from 1. */
export const promptVersionNumberSchema = integerBetween(1, 1_000_000);

/** The text of a version: a template with `{{input}}` and `{{metadata.name}}`. */
export const promptVersionTextSchema = promptTextSchema
  .refine((text) => text.trim() !== '', { error: 'must not be empty' })
  .refine((text) => !templateVariables(text).some(({ name }) => name === 'reference'), {
    error: 'must not hold {{reference}}: models that work on the task must not see it',
  });

/** What a version's writer says of it. */
export const versionMessageSchema = z
  .string({ error: 'must be a text' })
  .trim()
  .min(1, { error: 'must say in a few words what changed' })
  .max(300, { error: 'must be at most 300 characters' });

/** Why a label was moved; up to 500 characters. */
export const moveReasonSchema = z
  .string({ error: 'must be a text' })
  .trim()
  .max(500, { error: 'must be at most 500 characters' });

/** What a prompt is tried with. Dataset and criteria may be chosen later: then it cannot be tried, but edited and used. */
export const promptSetupSchema = z.strictObject({
  datasetId: z
    .guid({ error: (issue) => `must be the id of a dataset, got ${showValue(issue.input)}` })
    .toLowerCase()
    .nullable()
    .default(null),
  /** The first is the one that scores of versions speak of. */
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
  /** Of the answers; null: not sent. */
  temperature: numberBetween(0, 2).nullable().default(null),
  /** Of the judges; null: 0 where the answers have one, else not sent. */
  evaluatorTemperature: numberBetween(0, 2).nullable().default(null),
  /** What goes with every call as the system's instructions; not part of what is versioned. */
  instructions: promptTextSchema.default(''),
  criteria: z
    .array(criterionSchema)
    .max(50, { error: 'must hold at most 50 criteria' })
    .refine((criteria) => new Set(criteria.map(({ name }) => name)).size === criteria.length, {
      error: 'must not name two criteria alike',
    })
    .default([]),
  evaluatorModel: modelReferenceSchema.nullable().default(null),
  qualityThreshold: numberBetween(0, 1).default(0.8),
});
export type PromptSetup = z.infer<typeof promptSetupSchema>;
export type PromptSetupInput = z.input<typeof promptSetupSchema>;

/** Where a label stands. */
export type PromptLabel = { label: string; version: number; movedBy: string; movedAt: string };

/** A move of a label; `version` is null where it was taken off, `previous` where it stood nowhere. */
export type PromptLabelMove = {
  id: number;
  label: string;
  version: number | null;
  previous: number | null;
  reason: string | null;
  movedBy: string;
  movedAt: string;
};

/** A version without its text. */
export type PromptVersion = {
  number: number;
  message: string;
  /** The version it was made from; null for the first, and where it came from elsewhere. */
  parent: number | null;
  /** The version of a tuning run that it is; the run is null once it was deleted. */
  run: { id: string | null; number: number | null; version: number } | null;
  /** Characters of its text. */
  length: number;
  createdBy: string;
  createdAt: string;
};

export type PromptVersionText = PromptVersion & { text: string };

export type PromptListItem = {
  name: string;
  setup: PromptSetup;
  latestVersion: number;
  labels: { label: string; version: number }[];
  /** Experiments that tune it. */
  experiments: number;
  createdAt: string;
  updatedAt: string;
};

/** An experiment whose newest settings tune a version of the prompt. */
export type PromptUse = { experimentId: string; name: string; version: number; updatedAt: string };

export type PromptDetail = {
  name: string;
  setup: PromptSetup;
  latestVersion: number;
  createdAt: string;
  updatedAt: string;
  /** Newest first. */
  versions: PromptVersion[];
  /** By name, `production` first. */
  labels: PromptLabel[];
  /** Newest first, at most 200. */
  moves: PromptLabelMove[];
  /** The newest 50. */
  uses: PromptUse[];
};

/**
 * Where a label stood before its last move, which rolling back takes it to: null is nowhere. There is no answer where it was never
 * moved. `moves`: newest first. Rolling back twice is back where it was.
 */
export function rollBackTarget(moves: PromptLabelMove[], label: string): { version: number | null } | null {
  const last = moves.find((move) => move.label === label);
  return last === undefined ? null : { version: last.previous };
}

/** The names of the variables of a prompt's text, once each, in their order: those that are filled in from a case. */
export function promptVariables(text: string): string[] {
  return templateVariables(text).flatMap(({ name, known }) => (known ? [name] : []));
}

/** Labels as they are read: production first, then staging, then by name. */
export function inLabelOrder<Labelled extends { label: string }>(labels: readonly Labelled[]): Labelled[] {
  const place = ({ label }: Labelled) => {
    const at = USUAL_LABELS.indexOf(label);
    return at < 0 ? USUAL_LABELS.length : at;
  };
  return labels.toSorted((one, other) => place(one) - place(other) || one.label.localeCompare(other.label));
}
