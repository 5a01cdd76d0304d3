import { z } from 'zod';
import { PASSWORD_LENGTH } from '#lib/auth/sign-in/weak-password.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { ROLES } from './role.ts';

/** A member of the team as shown to people. Times are ISO 8601. */
export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable().meta({ description: 'To the minute. Null: never signed in.' }),
  disabledAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Since when the member can’t sign in. Null: the member can sign in.' }),
  isLastOwner: z
    .boolean()
    .meta({ description: 'True if the member is the only owner who can sign in. Their role cannot change.' }),
  thisMonth: z.object({ decisions: z.int(), reviews: z.int() }).meta({
    description: 'Number of decisions at runs and of reviewed lessons since the start of the month (UTC).',
  }),
  sessions: z.int().meta({ description: 'Browsers in which they are signed in.' }),
  tokens: z.int().meta({ description: 'Valid API tokens of the member.' }),
});
export type Member = z.infer<typeof memberSchema>;

/** A member after a change of role or access, with its side effects. */
export const changedMemberSchema = memberSchema.extend({
  linksWithdrawn: z.int().meta({
    description: 'Open invitations and password links of the member that grant more than the new role allows.',
  }),
  assignmentsTaken: z
    .int()
    .meta({ description: 'Runs and lessons assigned to the member that the new role cannot decide.' }),
});
export type ChangedMember = z.infer<typeof changedMemberSchema>;

/** Purposes of the links listed on the team page: a new member, or a member's new password. */
export const INVITATION_PURPOSES = ['member', 'password'] as const;

/** A link that invites a member or sets a new password. The link itself is shown only once. */
export const invitationSchema = z.object({
  id: z.uuid(),
  purpose: z.enum(INVITATION_PURPOSES),
  label: z.string().meta({ description: 'Recipient, as entered by its creator.' }),
  role: z.enum(ROLES),
  memberId: z
    .string()
    .nullable()
    .meta({ description: 'Member whose password the link resets. Null for an invitation.' }),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** A browser session of a member. */
export const memberSessionSchema = z.object({
  id: z.string(),
  device: z.string().meta({ description: 'Browser and operating system, as reported by the browser.' }),
  address: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().meta({ description: 'To the minute.' }),
  expiresAt: z.iso.datetime(),
  isThis: z.boolean().meta({ description: 'True for the session of this request.' }),
});
export type MemberSession = z.infer<typeof memberSessionSchema>;

/** Reserved names: already used in decisions and lessons, or easily confused with the program's. */
const RESERVED_NAMES = ['you', 'local owner', 'local', 'system', 'practice', 'policy', 'hone'];

/** A member's name as stored: 1 to 80 characters, with white space and invisible characters normalized. Reserved names are rejected. */
export const memberName = z
  .string({ error: 'must be a text' })
  .max(1000, { error: 'must be at most 80 characters' })
  .transform((text) =>
    visibleName(cleanText(text).normalize('NFKC'))
      .replace(/[\p{Cc}\p{Cn}\p{Co}\s]+/gu, ' ')
      .trim(),
  )
  .pipe(
    z
      .string()
      .min(1, { error: 'must be given' })
      .max(80, { error: 'must be at most 80 characters' })
      .refine((name) => !RESERVED_NAMES.includes(name.toLowerCase()) && !/\(API token\)$/i.test(name), {
        error: 'is reserved. Choose another name',
      }),
  );

/** An email address as stored, in lower case. Used only to sign in. Hone sends no email. */
export const memberEmail = z
  .string({ error: 'must be a text' })
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email({ error: 'must be an e-mail address' }).max(254, { error: 'must be at most 254 characters' }));

export const newPassword = z
  .string({ error: 'must be a text' })
  .min(PASSWORD_LENGTH.least, { error: `must be at least ${PASSWORD_LENGTH.least} characters` })
  .max(PASSWORD_LENGTH.most, { error: `must be at most ${PASSWORD_LENGTH.most} characters` })
  .refine((password) => new Set(password).size >= 4, { error: 'must not be a few letters over and over' });

/** True if two names are easily confused. */
export function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}
