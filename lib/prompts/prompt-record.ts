import { z } from 'zod';
import { promptSetupSchema } from './prompt-library.ts';

const id = z.guid();
const time = z.iso.datetime();
const count = z.int().min(0);
const number = z.int().min(1);
const place = z.object({ label: z.string(), version: number });

/** A prompt in a list: without its texts. */
export const promptListItemSchema = z.object({
  name: z.string(),
  setup: promptSetupSchema,
  latestVersion: number,
  labels: z.array(place),
  experiments: count.meta({ description: 'Experiments that tune it by their newest settings.' }),
  createdAt: time,
  updatedAt: time,
});

const version = {
  message: z.string(),
  parent: number.nullable().meta({ description: 'The version it was made from.' }),
  run: z
    .object({ id: id.nullable(), number: count.nullable(), version: count })
    .nullable()
    .meta({ description: 'The version of a tuning run that it is; the run is null once it was deleted.' }),
  length: count.meta({ description: 'Characters of its text.' }),
  createdBy: z.string(),
  createdAt: time,
};

/** What programs ask for: a text of a prompt, as it is to be filled in. */
export const promptTextSchema = z.object({
  name: z.string(),
  version: number,
  labels: z.array(z.string()).meta({ description: 'The labels that stand at this version.' }),
  text: z.string(),
  variables: z.array(z.string()).meta({ description: 'What stands between braces and is filled in, such as input.' }),
  ...version,
});
export type PromptText = z.infer<typeof promptTextSchema>;

/** A prompt with all its versions (without their texts), labels and their moves, and what it is used by. */
export const promptDetailSchema = z.object({
  name: z.string(),
  setup: promptSetupSchema,
  latestVersion: number,
  createdAt: time,
  updatedAt: time,
  versions: z.array(z.object({ number, ...version })),
  labels: z.array(place.extend({ movedBy: z.string(), movedAt: time })),
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
    .meta({ description: 'Newest first, at most 200; version is null where the label was taken off.' }),
  uses: z.array(z.object({ experimentId: id, name: z.string(), version: number, updatedAt: time })),
});

const compared = { version: number, against: number, words: z.string() };
const share = z.number().min(0).max(1);

/** A move of a label, and what the held-out cases said of it. */
export const movedLabelSchema = z.object({
  name: z.string(),
  label: z.string(),
  version: number.nullable(),
  previous: number.nullable().meta({ description: 'Where it stood before.' }),
  moved: z.boolean().meta({ description: 'false: it stood there already.' }),
  move: number.nullable().meta({ description: 'The number of the move.' }),
  proof: z
    .discriminatedUnion('verdict', [
      z.object({
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
      }),
      z.object({ verdict: z.literal('unproven'), ...compared, why: z.string() }),
    ])
    .nullable()
    .meta({
      description: 'How the version does on held-out cases; null where the label asks for none, or stood nowhere.',
    }),
});
export type MovedLabel = z.infer<typeof movedLabelSchema>;
