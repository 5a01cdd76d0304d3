import { z } from 'zod';
import { ROLES } from '#lib/auth/role.ts';

/** A member as the sign-in library answers one: its types know nothing of our own fields. */
export const libraryMember = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  disabledAt: z.date().nullish(),
  lastSeenAt: z.date().nullish(),
});
