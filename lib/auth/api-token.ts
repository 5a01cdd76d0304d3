import { z } from 'zod';
import { TOKEN_SCOPES } from './actor.ts';

/** An API token as shown to people. The token value is shown only once, on creation. */
export const apiTokenSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  lastFour: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  createdBy: z.string(),
  memberId: z.string().nullable().meta({
    description:
      'The owner of the token. It never has more permissions than the owner. Null if it was created in local mode.',
  }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable().meta({ description: 'When the token expires. Null: never.' }),
  lastUsedAt: z.iso.datetime().nullable().meta({ description: 'To the minute. Null: not used yet.' }),
  revokedAt: z.iso.datetime().nullable(),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;
