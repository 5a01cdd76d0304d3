import { z } from 'zod';

/** Kinds of things that are found, in the order in which they are shown. */
export const FOUND_KINDS = ['experiment', 'prompt', 'dataset', 'run', 'lesson', 'case', 'output', 'doc'] as const;

export const foundSchema = z.object({
  kind: z.enum(FOUND_KINDS),
  path: z.string().meta({ description: 'The page that shows it.' }),
  name: z.string().meta({ description: 'Its name, or the piece of its text that was found.' }),
  note: z.string().meta({ description: 'What tells it from others of its kind.' }),
});
/** Something that was found by its name or its text. */
export type Found = z.infer<typeof foundSchema>;
