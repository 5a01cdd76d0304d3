import type { DatabaseClient } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, type Page, pageOf, sortByName, withIsoTimes, yearBounds } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { AuditGroup } from './audit-groups.ts';
import { type AuditAction, type AuditEntry, type AuditSubjectKind, auditEntrySchema } from './schema.ts';

type Where = Prisma.AuditEntryWhereInput;

/**
 * Adds an entry to the audit log, at the time of the database, which all processes share. Runs in the transaction of the recorded change,
 * so that both are committed or rolled back together.
 */
export async function insertAudit(
  prisma: Transaction,
  { subject, ...entry }: Omit<AuditEntry, 'id' | 'at'>,
): Promise<void> {
  const { kind, id, name } = subject;
  await prisma.auditEntry.createMany({
    data: cleanJson({ ...entry, subjectKind: kind, subjectId: id, subjectName: name }),
  });
}

/** Filter of the audit log. Null or omitted fields match everything. `from` (inclusive) and `to` (exclusive) are times. */
export type AuditFilter = {
  group?: AuditGroup | null;
  actorId?: string | null;
  subject?: { kind: AuditSubjectKind; id: string | null } | null;
  from?: Date | null;
  to?: Date | null;
};

const AT_ONCE = 500;

/** Lists audit log entries, newest first. The cursor is an entry's id. */
export async function listAudit(
  database: DatabaseClient,
  filter: AuditFilter,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<AuditEntry>> {
  const before = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : null;
  return pageOf(await readAudit(database, filter, before, limit + 1), limit, ({ id }) => String(id));
}

/** Yields all matching entries, newest first, in batches of a few hundred. */
export async function* iterateAudit(database: DatabaseClient, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  let before: number | null = null;
  do {
    const entries: AuditEntry[] = await readAudit(database, filter, before, AT_ONCE);
    yield* entries;
    before = entries.length < AT_ONCE ? null : (entries.at(-1)?.id ?? null);
  } while (before !== null);
}

/** Counts the matching entries. */
export async function countAudit({ prisma }: DatabaseClient, filter: AuditFilter): Promise<number> {
  return prisma.auditEntry.count({ where: whereOf(filter) });
}

/** Lists the actors in the audit log with their latest name, sorted by name. Links are omitted, because each is used once by one person. */
export async function listAuditActors({ prisma }: DatabaseClient): Promise<{ id: string; name: string }[]> {
  const last = await prisma.auditEntry.groupBy({ by: 'actorId', where: { via: { not: 'link' } }, _max: { id: true } });
  const entries = await prisma.auditEntry.findMany({
    where: { id: { in: last.flatMap(({ _max }) => _max.id ?? []) } },
    select: { actorId: true, actor: true },
  });
  return sortByName(entries.map(({ actorId, actor }) => ({ id: actorId, name: actor }))).slice(0, 500);
}

/** Filters for each group of the log. */
const GROUPS: Record<AuditGroup, Where> = {
  decisions: ofActs('decided', 'scored', 'preferred'),
  lessons: ofSubjects('lesson'),
  settings: {
    ...ofSubjects('experiment', 'provider', 'prices', 'budget', 'webhook', 'target', 'mcp_server', 'setting', 'backup'),
    outcome: 'done',
  },
  access: ofSubjects('member', 'invitation', 'session', 'token', 'audit'),
  refused: { outcome: 'refused' },
};

function ofActs(...acts: AuditAction[]): Where {
  return { act: { in: acts } };
}

function ofSubjects(...kinds: AuditSubjectKind[]): Where {
  return { subjectKind: { in: kinds } };
}

function whereOf({ group, actorId, subject, from, to }: AuditFilter): Where {
  const conditions: Where[] = [
    group ? GROUPS[group] : {},
    subject ? { subjectKind: subject.kind, ...(subject.id !== null && { subjectId: subject.id }) } : {},
    actorId ? { actorId } : {},
    from ? { at: { gte: from } } : {},
    to ? { at: { lt: to } } : {},
  ];
  return { AND: conditions };
}

async function readAudit(
  { prisma }: DatabaseClient,
  filter: AuditFilter,
  before: number | null,
  count: number,
): Promise<AuditEntry[]> {
  // A time range uses the time index. Ordered by id, the query would read all newer entries first.
  const isDated = (filter.from ?? filter.to ?? null) !== null;
  const conditions = [whereOf(filter)];
  if (before !== null && isDated) {
    const last = await prisma.auditEntry.findUnique({ where: { id: before }, select: { at: true } });
    if (last === null) return [];
    conditions.push({ at: { lte: last.at }, OR: [{ at: { lt: last.at } }, { id: { lt: before } }] });
  } else if (before !== null) conditions.push({ id: { lt: before } });
  const rows = await prisma.auditEntry.findMany({
    where: { AND: conditions },
    orderBy: isDated ? [{ at: 'desc' }, { id: 'desc' }] : { id: 'desc' },
    take: count,
  });
  return rows.map(({ subjectKind, subjectId, subjectName, ...row }) =>
    auditEntrySchema.parse({
      ...withIsoTimes(row),
      subject: { kind: subjectKind, id: subjectId, name: subjectName },
    }),
  );
}

/** Returns the years with archived lessons, latest first. */
export async function archiveYears({ prisma }: DatabaseClient): Promise<number[]> {
  const years: number[] = [];
  // Steps along the index from each year's latest lesson to the next, so that the cost does not depend on the number of lessons.
  for (let before: Date | undefined; ; ) {
    const latest = await prisma.lesson.findFirst({
      where: { status: 'archived', ...(before && { createdAt: { lt: before } }) },
      orderBy: { createdAt: 'desc' },
      select: { createdAt: true },
    });
    if (latest === null) return years;
    const year = latest.createdAt.getUTCFullYear();
    years.push(year);
    before = yearBounds(year).from;
  }
}

/** Kinds of subjects through which people influence the text of a run. Ordered from indirect to direct influence. */
export const CONTRIBUTION_KINDS = [
  'mcp_server',
  'webhook',
  'provider',
  'dataset',
  'batch',
  'run',
  'experiment',
] as const;
export type ContributionKind = (typeof CONTRIBUTION_KINDS)[number];

/** Copies the contributors of an experiment to another one derived from it. */
export async function inheritContributions(
  prisma: Transaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const makers = await prisma.contribution.findMany({ where: { kind: 'experiment', subject: from } });
  const data = makers.map((maker) => ({ ...maker, subject: to }));
  await prisma.contribution.createMany({ data, skipDuplicates: true });
}

/**
 * Returns SQL for the contributors to the text of a run, as a JSON object of kinds by person. `run`: expression for its id. `services`:
 * expression for a JSON array of `NamedService`. Providers count only if someone set their base URL, because nobody influences the
 * responses of the others.
 */
export function authorsOfRun(run: string, services: string): string {
  return `coalesce((SELECT jsonb_object_agg(person_id, kind ORDER BY array_position('{${CONTRIBUTION_KINDS.join(',')}}'::text[], kind))
    FROM (
      SELECT c.person_id, c.kind FROM runs ar JOIN batches ab ON ab.id = ar.batch_id
      CROSS JOIN LATERAL (VALUES ('experiment', ar.experiment_id::text), ('batch', ar.batch_id::text), ('run', ar.id::text), ('dataset', ab.dataset_id::text)) of_run(kind, subject)
      JOIN contributions c USING (kind, subject) WHERE ar.id = ${run}
      UNION
      SELECT c.person_id, c.kind FROM jsonb_to_recordset(coalesce(${services}, '[]')::jsonb) AS s(kind text, name text)
      JOIN contributions c ON c.kind = s.kind AND c.subject = s.name
      LEFT JOIN providers p ON s.kind = 'provider' AND p.name = s.name
      WHERE s.kind <> 'provider' OR p.base_url IS NOT NULL) parts), '{}')`;
}
