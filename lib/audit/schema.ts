import { z } from 'zod';

/** Actions recorded in the audit log. Add a new one instead of widening the meaning of another. */
export const AUDIT_ACTIONS = [
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
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Subjects of the recorded actions. `entry`: a page, action or route to which access was refused. */
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

/** Kinds of actors: a person, a program with a token, the holder of a link, or Hone itself including its webhooks. */
export const AUDIT_ACTOR_KINDS = ['person', 'token', 'link', 'system'] as const;
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number];

/** Changed fields and values of the subject. Never contains a key, a password or a token. */
const auditChangeSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type AuditChange = z.infer<typeof auditChangeSchema>;

/**
 * One audit log entry. `at` is ISO 8601. `role` is `none` for links, webhooks and unauthenticated callers. `entry` is the page, action or
 * route used.
 */
export const auditEntrySchema = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actorId: z.string(),
  actor: z.string(),
  role: z.string(),
  via: z.enum(AUDIT_ACTOR_KINDS),
  entry: z.string().nullable(),
  act: z.enum(AUDIT_ACTIONS),
  subject: z.object({ kind: z.enum(AUDIT_SUBJECTS), id: z.string().nullable(), name: z.string().nullable() }),
  change: auditChangeSchema,
  outcome: z.enum(['done', 'refused']),
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Range of whole UTC days as times: `from` is inclusive, `to` is exclusive. Null means unbounded. */
type DayRange = { from: Date | null; to: Date | null };

/** Errors of the two dates, by field. */
export type DayProblems = { from: string | null; to: string | null };

const DAY_MS = 86_400_000;

/**
 * Parses two dates from a form or URL (`2026-01-31`, null if not given). The range includes the last day. Returns the errors if a date is
 * invalid or the last one is before the first.
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

/** Returns null if the date does not exist, such as 30 February. */
function readDay(text: string): Date | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}

function dayProblem(value: string | null, day: Date | null): string | null {
  if (value === null || day !== null) return null;
  return `must be a day from 1000 to 2999, written as 2026-01-31, got ${JSON.stringify(value.slice(0, 40))}`;
}
