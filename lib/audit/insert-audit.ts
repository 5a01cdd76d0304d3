import type pg from 'pg';
import type { Database } from '#lib/database/database.ts';
import { cleanText, storableJson } from '#lib/database/query-values.ts';
import type { AuditEntry } from './schema.ts';

/** A transaction or the pool, of either client: the entry is kept or lost with what it tells of. */
export type AuditConnection = Pick<pg.Pool, 'query'> | Pick<Database['prisma'], '$executeRawUnsafe'>;

const INSERT = `INSERT INTO audit_entries (at, actor_id, actor, role, via, entry, act, subject_kind, subject_id, subject_name, change, outcome, address)
  VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12)`;

/** Adds one line to the audit log, at the database's time, by which all processes go. */
export async function insertAudit(
  connection: AuditConnection,
  { actorId, actor, role, via, entry, act, subject, change, outcome, address }: Omit<AuditEntry, 'id' | 'at'>,
): Promise<void> {
  const values = [
    ...[cleanText(actorId), cleanText(actor), role, via, entry, act, subject.kind],
    ...[subject.id === null ? null : cleanText(subject.id), subject.name === null ? null : cleanText(subject.name)],
    ...[storableJson(change), outcome, address === null ? null : cleanText(address)],
  ];
  await execute(connection, INSERT, values);
}

/** For statements that belong to what they tell of: in its transaction, of either client. */
export async function execute(connection: AuditConnection, text: string, values: unknown[]): Promise<void> {
  if ('query' in connection) await connection.query(text, values);
  else await connection.$executeRawUnsafe(text, ...values);
}
