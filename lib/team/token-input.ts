import { z } from 'zod';
import { TOKEN_SCOPES } from '#lib/auth/api-token.ts';
import { integerBetween, nameSchema, oneOf } from '#lib/core/setting-parts.ts';

/** An API token to be made: what it is called, what it may do, and after how many days it ends (null: never). */
export const tokenInputSchema = z.strictObject({
  name: nameSchema,
  scopes: z
    .array(oneOf(TOKEN_SCOPES), { error: `must be a list of scopes: ${TOKEN_SCOPES.join(', ')}` })
    .min(1, { error: 'must hold at least one scope' })
    .max(TOKEN_SCOPES.length, { error: 'must not name a scope twice' })
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'must not name a scope twice' }),
  days: integerBetween(1, 3650)
    .nullable()
    .default(90)
    .meta({ description: 'Days until it ends; null: it never does.' }),
});
