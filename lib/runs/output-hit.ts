import { z } from 'zod';
import { RUN_STATUSES } from '#lib/core/run-record.ts';

/** A run whose input or outputs hold what was looked for, and where. */
export const outputHitSchema = z.object({
  runId: z.guid(),
  number: z.int(),
  experimentId: z.guid(),
  experimentName: z.string(),
  input: z.string().meta({ description: 'Its first 200 characters.' }),
  status: z.enum(RUN_STATUSES),
  success: z.boolean(),
  bestScore: z.number().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  version: z.int().nullable().meta({ description: 'The version whose output the snippet is from; null: the input.' }),
  snippet: z.object({
    text: z.string().meta({ description: 'As it is stored, never markup.' }),
    marks: z
      .array(z.tuple([z.int(), z.int()]))
      .meta({ description: 'Where the words stand in it: from and to, in UTF-16 units.' }),
  }),
});
export type OutputHit = z.infer<typeof outputHitSchema>;
