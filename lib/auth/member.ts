import { z } from 'zod';
import { ROLES } from './role.ts';

/** A member of the team, as people see one. Times are ISO 8601. */
export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable().meta({ description: 'To the minute; null: never signed in.' }),
  disabledAt: z.iso.datetime().nullable().meta({ description: 'From then on they can’t sign in; null: they can.' }),
  isLastOwner: z.boolean().meta({ description: 'The only owner who can sign in stays one.' }),
  thisMonth: z.object({ decisions: z.int(), reviews: z.int() }).meta({
    description: 'What they decided at runs, and how many lessons they reviewed, since the month began (UTC).',
  }),
  sessions: z.int().meta({ description: 'Browsers in which they are signed in.' }),
  tokens: z.int().meta({ description: 'API tokens of theirs that hold.' }),
});
export type Member = z.infer<typeof memberSchema>;

/** A member after a change of role or access, and what went with it. */
export const changedMemberSchema = memberSchema.extend({
  linksWithdrawn: z.int().meta({
    description: 'Open invitations and password links they had made that give more than they may now.',
  }),
  assignmentsTaken: z.int().meta({ description: 'Runs and lessons they were asked to look at and can’t decide now.' }),
});
export type ChangedMember = z.infer<typeof changedMemberSchema>;

/** A link that lets somebody in, or sets a new password; the link itself is shown once. */
export const invitationSchema = z.object({
  id: z.uuid(),
  purpose: z.enum(['member', 'password']),
  label: z.string().meta({ description: 'Whom it is for, as the one who made it wrote it.' }),
  role: z.enum(ROLES),
  memberId: z.string().nullable().meta({ description: 'Of a link for a new password: whose.' }),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** A browser in which a member is signed in. */
export const memberSessionSchema = z.object({
  id: z.string(),
  device: z.string().meta({ description: 'Browser and system, as far as the browser tells them.' }),
  address: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().meta({ description: 'To the minute.' }),
  expiresAt: z.iso.datetime(),
  isThis: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
});
export type MemberSession = z.infer<typeof memberSessionSchema>;
