import { z } from 'zod';
import { AUDIT_GROUPS, AUDIT_SUBJECTS, auditEntrySchema } from '#lib/audit/audit-entry.ts';
import type { AuditFilter } from '#lib/audit/list-audit.ts';
import { apiTokenSchema } from '#lib/auth/api-token.ts';
import { invitationSchema, memberSchema, memberSessionSchema } from '#lib/auth/member.ts';
import { component } from '#lib/http/define-route.ts';
import { count, page } from '#lib/http/fields.ts';
import { pagedByNumber } from '#lib/http/read-query.ts';

export const apiTokensSchema = component(
  'ApiTokens',
  z.object({ items: z.array(component('ApiToken', apiTokenSchema)) }),
);

export const madeApiTokenSchema = component(
  'MadeApiToken',
  apiTokenSchema.extend({ token: z.string().meta({ description: 'Shown this once.' }) }),
);

export const membersSchema = component('Members', z.object({ items: z.array(component('Member', memberSchema)) }));

export const endedSessionsSchema = component('EndedSessions', z.object({ ended: count }));

export const madeLinkSchema = component(
  'MadeLink',
  z.object({
    id: z.uuid(),
    url: z.url().meta({ description: 'Shown this once: whoever opens it can use it.' }),
    expiresAt: z.iso.datetime(),
  }),
);

export const invitationsSchema = component(
  'Invitations',
  z.object({ items: z.array(component('Invitation', invitationSchema)) }),
);

export const withdrawnLinkSchema = component('WithdrawnLink', z.object({ id: z.uuid() }));

export const memberSessionsSchema = component(
  'MemberSessions',
  z.object({ items: z.array(component('MemberSession', memberSessionSchema)) }),
);

const moment = z.iso.datetime({ error: 'must be a moment as 2026-01-31T00:00:00Z' }).optional();

const filter = {
  group: z.enum(AUDIT_GROUPS, { error: `must be one of ${AUDIT_GROUPS.join(', ')}` }).optional(),
  actorId: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'Who did it, as the entries name them.' }),
  subject: z.enum(AUDIT_SUBJECTS, { error: `must be one of ${AUDIT_SUBJECTS.join(', ')}` }).optional(),
  subjectId: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'Goes with subject.' }),
  from: moment.meta({ description: 'Included.' }),
  to: moment.meta({ description: 'Not included.' }),
};

/** Which lines of the audit log, and which page of them. */
export const auditQuery = z.strictObject({ ...pagedByNumber, ...filter });

export const auditEntriesSchema = component('AuditEntries', page(component('AuditEntry', auditEntrySchema)));

/** Which lines go into the file. */
export const auditExportQuery = z.strictObject(filter);

/** What the database is asked for. */
export function auditFilterOf(query: z.output<typeof auditExportQuery>): AuditFilter {
  const { group = null, actorId = null, subject, subjectId = null, from, to } = query;
  return {
    group,
    actorId,
    subject: subject === undefined ? null : { kind: subject, id: subjectId },
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
  };
}
