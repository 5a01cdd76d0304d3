import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf } from '#lib/database/query-values.ts';
import {
  AUDIT_ACTS,
  AUDIT_SUBJECTS,
  AUDIT_VIAS,
  type AuditEntry,
  type AuditGroup,
  type AuditSubjectKind,
} from './schema.ts';

/** Which lines of the audit log; null or left out: whatever it is. `from` (included) and `to` (not included) are times. */
export type AuditFilter = {
  group?: AuditGroup | null;
  actorId?: string | null;
  subject?: { kind: AuditSubjectKind; id: string | null } | null;
  from?: Date | null;
  to?: Date | null;
};

const AT_ONCE = 500;

/** Lines of the audit log, newest first. The cursor is a line's number. */
export async function listAudit(
  database: Pick<Database, 'pool'>,
  filter: AuditFilter,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<AuditEntry>> {
  const before = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : null;
  return pageOf(await readAudit(database, filter, before, limit + 1), limit, ({ id }) => String(id));
}

/** All lines that fit, newest first, read a few hundred at a time. */
export async function* walkAudit(database: Pick<Database, 'pool'>, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  let before: number | null = null;
  do {
    const entries: AuditEntry[] = await readAudit(database, filter, before, AT_ONCE);
    yield* entries;
    before = entries.length < AT_ONCE ? null : (entries.at(-1)?.id ?? null);
  } while (before !== null);
}

/** How many lines fit. */
export async function countAudit({ pool }: Pick<Database, 'pool'>, filter: AuditFilter): Promise<number> {
  const { text, values } = whereOf(filter, null);
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int FROM audit_entries ${text}`, values);
  return rows[0]?.count ?? 0;
}

/** Who stands in the audit log, by the last name each went by, in the order of names; links are left out, as each is used by somebody once. */
export async function listAuditActors({ pool }: Pick<Database, 'pool'>): Promise<{ id: string; name: string }[]> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    `SELECT id, name FROM (SELECT DISTINCT ON (actor_id) actor_id AS id, actor AS name FROM audit_entries WHERE via <> 'link' ORDER BY actor_id, id DESC) a
     ORDER BY lower(name), id LIMIT 500`,
  );
  return rows;
}

/** What belongs to each part of the log. */
const GROUPS: Record<AuditGroup, string> = {
  decisions: "act IN ('decided', 'scored', 'preferred')",
  lessons: "subject_kind = 'lesson'",
  settings:
    "subject_kind IN ('experiment', 'provider', 'prices', 'budget', 'webhook', 'mcp_server', 'setting', 'backup') AND outcome = 'done'",
  access: "subject_kind IN ('member', 'invitation', 'session', 'token', 'audit')",
  refused: "outcome = 'refused'",
};

function whereOf(
  { group, actorId, subject, from, to }: AuditFilter,
  before: number | null,
): { text: string; values: unknown[] } {
  const conditions = group === null || group === undefined ? [] : [`(${GROUPS[group]})`];
  const values: unknown[] = [];
  const where = (condition: string, value: unknown) => {
    if (value === null || value === undefined) return;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  where('actor_id = ?', actorId);
  where('subject_kind = ?', subject?.kind);
  where('subject_id = ?', subject?.id);
  where('at >= ?', from);
  where('at < ?', to);
  where('id < ?', isDated({ from, to }) ? null : before);
  if (isDated({ from, to }) && before !== null) {
    values.push(before);
    const at = `(SELECT b.at FROM audit_entries b WHERE b.id = $${values.length})`;
    conditions.push(`at <= ${at} AND (at < ${at} OR id < $${values.length})`);
  }
  return { text: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '', values };
}

/** Between times it goes by their index: by number, all newer lines would be read to come to old ones. */
function isDated({ from, to }: AuditFilter): boolean {
  return (from ?? to ?? null) !== null;
}

async function readAudit(
  { pool }: Pick<Database, 'pool'>,
  filter: AuditFilter,
  before: number | null,
  count: number,
): Promise<AuditEntry[]> {
  const { text, values } = whereOf(filter, before);
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT id, at, actor_id, actor, role, via, entry, act, subject_kind, subject_id, subject_name, change, outcome, address
     FROM audit_entries ${text} ORDER BY ${isDated(filter) ? 'at DESC, id DESC' : 'id DESC'} LIMIT $${values.length + 1}`,
    [...values, count],
  );
  return rows.map((row) => auditRow.parse(row));
}

const auditRow = z
  .object({
    id: z.int(),
    at: z.date(),
    actor_id: z.string(),
    actor: z.string(),
    role: z.string(),
    via: z.enum(AUDIT_VIAS),
    entry: z.string().nullable(),
    act: z.enum(AUDIT_ACTS),
    subject_kind: z.enum(AUDIT_SUBJECTS),
    subject_id: z.string().nullable(),
    subject_name: z.string().nullable(),
    change: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    outcome: z.enum(['done', 'refused']),
    address: z.string().nullable(),
  })
  .transform(({ at, actor_id, subject_kind, subject_id, subject_name, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actorId: actor_id,
    subject: { kind: subject_kind, id: subject_id, name: subject_name },
  }));

// Read along the index: each year is looked for at once, however many lessons are in it.
const YEARS = `
  SELECT y.year FROM (SELECT min(created_at) AS first, max(created_at) AS last FROM lessons WHERE status = 'archived') ends,
    generate_series(extract(year FROM ends.first AT TIME ZONE 'UTC')::int, extract(year FROM ends.last AT TIME ZONE 'UTC')::int) AS y(year)
  WHERE EXISTS (SELECT 1 FROM lessons WHERE status = 'archived'
    AND created_at >= make_timestamptz(y.year, 1, 1, 0, 0, 0, 'UTC') AND created_at < make_timestamptz(y.year + 1, 1, 1, 0, 0, 0, 'UTC'))
  ORDER BY y.year DESC`;

/** The yearly archives that hold any lessons, the latest first. */
export async function archiveYears({ pool }: Pick<Database, 'pool'>): Promise<number[]> {
  const { rows } = await pool.query<{ year: number }>(YEARS);
  return rows.map(({ year }) => year);
}
