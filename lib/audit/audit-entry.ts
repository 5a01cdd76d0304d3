import { z } from 'zod';

/** What somebody did, as the audit log names it. Add a word here rather than stretch another one. */
export const AUDIT_ACTS = [
  'created',
  'changed',
  'deleted',
  'restored',
  'decided',
  'scored',
  'preferred',
  'reviewed',
  'judged',
  'commented',
  'edited_comment',
  'deleted_comment',
  'assigned',
  'unassigned',
  'labelled',
  'started',
  'resumed',
  'stopped',
  'imported',
  'exported',
  'rescored',
  'requested',
  'tested',
  'resent',
  'purged',
  'invited',
  'joined',
  'withdrew',
  'revoked',
  'disabled',
  'enabled',
  'signed_in',
  'signed_out',
  'sign_in_failed',
  'changed_role',
  'changed_password',
  'made_password_link',
  'entered',
] as const;
export type AuditAct = (typeof AUDIT_ACTS)[number];

/** What it was done to. `entry`: a page, action or route that somebody was refused. */
export const AUDIT_SUBJECTS = [
  'run',
  'batch',
  'experiment',
  'view',
  'dataset',
  'lesson',
  'prompt',
  'provider',
  'prices',
  'budget',
  'webhook',
  'mcp_server',
  'setting',
  'backup',
  'member',
  'invitation',
  'session',
  'token',
  'audit',
  'entry',
] as const;
export type AuditSubjectKind = (typeof AUDIT_SUBJECTS)[number];

/** How somebody acted: a person, a program with a token, whoever holds a link, or Hone itself and what it asks (a webhook). */
export const AUDIT_VIAS = ['person', 'token', 'link', 'system'] as const;
export type AuditVia = (typeof AUDIT_VIAS)[number];

/** Parts of the log, as people look at it. `refused`: what somebody tried and may not. */
export const AUDIT_GROUPS = ['decisions', 'lessons', 'settings', 'access', 'refused'] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number];

/** What of the subject, in words and values: never a key, a password or a token. */
const auditChangeSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type AuditChange = z.infer<typeof auditChangeSchema>;

/** One line of the audit log. `at` is ISO 8601; `role` is `none` for links, webhooks and strangers; `entry` names the way in. */
export const auditEntrySchema = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actorId: z.string(),
  actor: z.string(),
  role: z.string(),
  via: z.enum(AUDIT_VIAS),
  entry: z.string().nullable(),
  act: z.enum(AUDIT_ACTS),
  subject: z.object({ kind: z.enum(AUDIT_SUBJECTS), id: z.string().nullable(), name: z.string().nullable() }),
  change: auditChangeSchema,
  outcome: z.enum(['done', 'refused']),
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
