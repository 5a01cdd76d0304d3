import { z } from 'zod';

/** What is to be stopped; those that wait for a person cost nothing, so they are left unless asked for. */
export const stopAllInputSchema = z.strictObject({
  waiting: z.boolean().default(false).meta({ description: 'Also the runs that wait for a person.' }),
});

/** The last time that everything was stopped, and how far that is. */
export const stopAllStateSchema = z.object({
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  waiting: z.boolean(),
  total: z.int().meta({ description: 'Runs that were to be stopped when it was asked for.' }),
  stopped: z.int(),
  doneAt: z.iso.datetime().nullable().meta({ description: 'null while it is under way.' }),
});
export type StopAllState = z.infer<typeof stopAllStateSchema>;

/** Runs that are not over, by what they do. */
export type UnfinishedCounts = { queued: number; running: number; waiting: number };
