import { z } from 'zod';
import { nameSchema } from '#lib/core/setting-parts.ts';

const url = z
  .string({ error: 'must be an address such as https://example.com/hook' })
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(2_000, { error: 'must be at most 2,000 characters' });
const secret = z
  .string({ error: 'must be a text of 16 to 200 characters' })
  .min(16, { error: 'must be 16 to 200 characters long, so that nobody guesses it' })
  .max(200, { error: 'must be 16 to 200 characters long' });

/** A webhook as it is added. Without a secret one is made. */
export const webhookInputSchema = z.strictObject({
  name: nameSchema.regex(/^[a-z0-9][a-z0-9._-]*$/i, {
    error: 'must be made of letters, digits, dots, dashes and underscores',
  }),
  url,
  secret: secret.nullable().default(null),
});

/** What may be changed of a webhook; what is left out stays. `newSecret` has one made; the old one holds no longer. */
export const webhookPatchSchema = z
  .strictObject({ url: url.optional(), secret: secret.optional(), newSecret: z.boolean().optional() })
  .refine((patch) => patch.secret === undefined || patch.newSecret !== true, {
    path: ['newSecret'],
    error: 'must be left out where a secret is given',
  });
