import { z } from 'zod';

/** What a person is writing and has not saved as a version. `updatedAt` is the moment it was last kept, which names its state. */
export const promptDraftSchema = z.object({
  text: z.string(),
  baseVersion: z.int().nullable().meta({ description: 'The version it was made from; null where there is none.' }),
  updatedAt: z.string(),
});
export type PromptDraft = z.infer<typeof promptDraftSchema>;

/**
 * What became of keeping a draft: `kept`, or `changed`: another window has kept or removed it since, and `draft` is what is there now (null:
 * it was saved as a version, or left). Nothing was overwritten then.
 */
export const keptDraftSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('kept'), updatedAt: z.string() }),
  z.object({ status: z.literal('changed'), draft: promptDraftSchema.nullable() }),
]);
export type KeptDraft = z.infer<typeof keptDraftSchema>;
