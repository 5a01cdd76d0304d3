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
  'measured',
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
  'file',
  'lesson',
  'prompt',
  'provider',
  'prices',
  'budget',
  'webhook',
  'target',
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

/** Whole days by UTC as moments: `from` is included, `to` is not; null: no bound. */
type DayRange = { from: Date | null; to: Date | null };

/** What is wrong with the two days, by field. */
export type DayProblems = { from: string | null; to: string | null };

const DAY_MS = 86_400_000;

/**
 * Reads two days as a form or an address has them (`2026-01-31`; null: not given), the last one whole. Answers what is wrong where one is
 * no day, or the last is before the first.
 */
export function readDayRange(
  first: string | null,
  last: string | null,
): { ok: true; range: DayRange } | { ok: false; problems: DayProblems } {
  const from = first === null ? null : readDay(first);
  const to = last === null ? null : readDay(last);
  const problems = { from: dayProblem(first, from), to: dayProblem(last, to) };
  if (from !== null && to !== null && to < from)
    problems.to = `must not be before the first day (${first}): swap them, or leave one empty`;
  if (problems.from !== null || problems.to !== null) return { ok: false, problems };
  return { ok: true, range: { from, to: to === null ? null : new Date(to.getTime() + DAY_MS) } };
}

/** Null where it is no day of the calendar: 30 February is none. */
function readDay(text: string): Date | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}

function dayProblem(given: string | null, day: Date | null): string | null {
  if (given === null || day !== null) return null;
  return `must be a day from 1000 to 2999, written as 2026-01-31, got ${JSON.stringify(given.slice(0, 40))}`;
}
