import { z } from 'zod';
import { FOUND_KINDS } from './found-kinds.ts';

export const foundSchema = z.object({
  kind: z.enum(FOUND_KINDS),
  path: z.string().meta({ description: 'Path of the page that shows the item.' }),
  name: z.string().meta({ description: 'Its name, or the piece of its text that was found.' }),
  note: z.string().meta({ description: 'Details that distinguish it from similar items.' }),
});
/** A search result, found by its name or its text. */
export type Found = z.infer<typeof foundSchema>;
