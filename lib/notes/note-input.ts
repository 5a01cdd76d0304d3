import { z } from 'zod';

/** A note as it is sent: 1 to 20,000 characters that are not all blank, Markdown or plain. */
export const noteInputSchema = z.strictObject({
  text: z
    .string({ error: 'must be a text' })
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(20_000, { error: 'must be at most 20,000 characters' }),
});
