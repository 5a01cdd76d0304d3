import { z } from 'zod';
import type { AuditFilter } from '#lib/db/list-audit.ts';
import { AUDIT_GROUPS, AUDIT_SUBJECTS } from '#lib/reflection/audit-entry.ts';
import { pagedByNumber } from '../read-query.ts';

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
