import { z } from 'zod';

/** What a program with an API token may do, beside the endpoint for agents (MCP), whose tools ask for the same scopes. */
export const TOKEN_SCOPES = ['lessons:read', 'lessons:write', 'runs:read', 'runs:write'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** An API token as people see it: the token itself is shown once, when it is made. */
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
