import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import type { Assignments } from './schema.ts';

/** What people can be asked to look at. */
export type AssignedSubject = { kind: 'run' | 'lesson'; id: string };

const assignee = z
  .object({ memberId: z.string(), name: z.string(), assignedBy: z.string(), createdAt: z.date() })
  .transform((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));

/** Who was asked to look at it, in that order. Those who were disabled since are left out. */
export async function listAssignees(
  { pool }: Pick<Database, 'pool'>,
  { kind, id }: AssignedSubject,
): Promise<z.output<typeof assignee>[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT a.member_id AS "memberId", m.name, a.assigned_by AS "assignedBy", a.created_at AS "createdAt"
     FROM assignments a JOIN members m ON m.id = a.member_id
     WHERE a.${columnOf(kind)} = $1 AND m.disabled_at IS NULL ORDER BY a.created_at, a.id`,
    [id],
  );
  return z.array(assignee).parse(rows);
}

/** Members that may decide, by name; `without`: those of these ids are left out. */
export async function listDeciders(
  connection: Queryable,
  without: readonly string[],
): Promise<{ memberId: string; name: string }[]> {
  const { rows } = await connection.query<{ memberId: string; name: string }>(
    `SELECT id AS "memberId", name FROM members
     WHERE disabled_at IS NULL AND role IN ('reviewer', 'editor', 'owner') AND id <> ALL ($1::text[])
     ORDER BY lower(name), id LIMIT 500`,
    [without],
  );
  return rows;
}

/** A member that may decide, by their id; null where there is none. */
export async function findDecider(connection: Queryable, memberId: string): Promise<{ name: string } | null> {
  const { rows } = await connection.query<{ name: string }>(
    "SELECT name FROM members WHERE id = $1 AND disabled_at IS NULL AND role IN ('reviewer', 'editor', 'owner')",
    [memberId],
  );
  return rows[0] ?? null;
}

/** Asks a member; doing so again changes nothing. `gone`: what they are asked to look at is not there. */
export async function insertAssignment(
  connection: Queryable,
  { kind, id: subjectId }: AssignedSubject,
  assignment: { id: string; memberId: string; assignedBy: string; assignedById: string; now: Date },
): Promise<'stored' | 'there' | 'gone'> {
  const { id, memberId, assignedBy, assignedById, now } = assignment;
  const { rows } = await connection.query<{ subjects: number; stored: number }>(
    `WITH subject AS (SELECT id FROM ${kind === 'run' ? 'runs' : 'lessons'} WHERE id = $2),
     stored AS (
       INSERT INTO assignments (id, ${columnOf(kind)}, member_id, assigned_by, assigned_by_id, created_at)
       SELECT $1, subject.id, $3, $4, $5, $6 FROM subject
       ON CONFLICT (${columnOf(kind)}, member_id) DO NOTHING RETURNING id)
     SELECT (SELECT count(*)::int FROM subject) AS subjects, (SELECT count(*)::int FROM stored) AS stored`,
    [id, subjectId, memberId, cleanText(assignedBy), assignedById, now],
  );
  if (rows[0]?.stored === 1) return 'stored';
  return rows[0]?.subjects === 1 ? 'there' : 'gone';
}

/** Takes it back; answers the member's name, null where they were not asked. */
export async function deleteAssignment(
  connection: Queryable,
  { kind, id }: AssignedSubject,
  memberId: string,
): Promise<{ name: string } | null> {
  const { rows } = await connection.query<{ name: string }>(
    `DELETE FROM assignments a USING members m
     WHERE m.id = a.member_id AND a.${columnOf(kind)} = $1 AND a.member_id = $2 RETURNING m.name`,
    [id, memberId],
  );
  return rows[0] ?? null;
}

/** Takes back all that a member was asked to look at; answers how much it was. */
export async function deleteAssignmentsOf(connection: Queryable, memberId: string): Promise<number> {
  const { rowCount } = await connection.query('DELETE FROM assignments WHERE member_id = $1', [memberId]);
  return rowCount ?? 0;
}

/** How much of what a person was asked to look at still waits: runs at a pause, and lessons to review. */
export async function countAssigned(
  { pool }: { pool: Queryable },
  personId: string,
): Promise<{ runs: number; lessons: number }> {
  const { rows } = await pool.query<{ runs: number; lessons: number }>(
    `SELECT
       (SELECT count(*)::int FROM assignments a JOIN runs r ON r.id = a.run_id
         WHERE a.member_id = $1 AND r.status = 'waiting') AS runs,
       (SELECT count(*)::int FROM assignments a JOIN lessons l ON l.id = a.lesson_id
         WHERE a.member_id = $1 AND (l.status = 'quarantined' OR (l.status = 'candidate' AND l.admission = 'held'))) AS lessons`,
    [personId],
  );
  return rows[0] ?? { runs: 0, lessons: 0 };
}

/** Which lessons a person was asked to look at. */
export async function listAssignedLessons({ pool }: Pick<Database, 'pool'>, personId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT lesson_id AS id FROM assignments WHERE member_id = $1 AND lesson_id IS NOT NULL ORDER BY created_at DESC LIMIT 5000`,
    [personId],
  );
  return rows.map(({ id }) => id);
}

function columnOf(kind: AssignedSubject['kind']): 'run_id' | 'lesson_id' {
  return kind === 'run' ? 'run_id' : 'lesson_id';
}

/** Who was asked to look at a run or a lesson, and who else could be. `without`: people who can't, by their ids. */
export async function findAssignments(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  subject: AssignedSubject,
  without: readonly string[] = [],
): Promise<Assignments> {
  const assignees = await listAssignees(database, subject);
  const person = personOf(actor);
  return {
    assignees: assignees.map((one) => ({ ...one, isMine: one.memberId === person })),
    choices: await listDeciders(database.pool, [...without, ...assignees.map(({ memberId }) => memberId)]),
  };
}
