import type pg from 'pg';
import { z } from 'zod';
import type { LessonCheck } from '#lib/core/lesson-library.ts';
import { LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import type { Queryable } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';

const findingSchema = z.object({ family: z.string(), rule: z.string(), matched: z.string() });

/** A stored step of a lesson's way, its result by kind. */
const checkRow = z
  .object({ number: z.int(), edit: z.int(), kind: z.string(), outcome: z.string(), result: z.unknown(), at: z.date() })
  .transform(({ result, at, ...rest }) => ({
    ...rest,
    createdAt: at.toISOString(),
    ...z.record(z.string(), z.unknown()).parse(result),
  }))
  .pipe(
    z.discriminatedUnion('kind', [
      z.object({
        ...common(),
        kind: z.literal('redact'),
        outcome: z.enum(['clear', 'redacted']),
        found: z.array(z.object({ kind: z.string(), count: z.int() })),
      }),
      z.object({
        ...common(),
        kind: z.literal('screen'),
        outcome: z.enum(['clear', 'held']),
        findings: z.array(findingSchema),
      }),
      z.object({
        ...common(),
        kind: z.literal('model'),
        outcome: z.enum(['clear', 'held']),
        model: z.string(),
        reason: z.string(),
      }),
      z.object({
        ...common(),
        kind: z.literal('merge'),
        outcome: z.enum(['none', 'merged']),
        into: z.object({ lessonId: z.string(), status: z.enum(LESSON_STATUSES), likeness: z.number() }).nullable(),
      }),
      z.object({ ...common(), kind: z.literal('quarantine'), outcome: z.literal('waiting') }),
      z.object({ ...common(), kind: z.literal('retention'), outcome: z.literal('archived'), keep: z.int() }),
    ]),
  );

function common() {
  return { number: z.int(), edit: z.int(), createdAt: z.string() };
}

const LIST = `SELECT number, edit, kind, outcome, result, created_at AS at FROM lesson_checks WHERE lesson_id = $1 ORDER BY number`;

/** The checks of a lesson in their order. */
export async function listChecks(connection: Queryable, lessonId: string): Promise<LessonCheck[]> {
  const { rows } = await connection.query<Record<string, unknown>>({
    name: 'list-lesson-checks',
    text: LIST,
    values: [lessonId],
  });
  return rows.map((row) => checkRow.parse(row));
}

/** A check that has no number yet. */
export type NewCheck = LessonCheck extends infer Check
  ? Check extends LessonCheck
    ? Omit<Check, 'number'>
    : never
  : never;

const ADD = `
  INSERT INTO lesson_checks (lesson_id, number, edit, kind, outcome, result, created_at)
  SELECT $1, c.number, c.edit, c.kind, c.outcome, c.result, c."createdAt"
  FROM json_to_recordset($2::json) AS c(number int, edit int, kind text, outcome text, result jsonb, "createdAt" timestamptz)`;

/** Keeps further checks of a lesson whose row the caller has locked; `first` is the number of checks it has. */
export async function addChecks(
  client: pg.PoolClient,
  lessonId: string,
  first: number,
  checks: readonly NewCheck[],
): Promise<void> {
  if (checks.length === 0) return;
  const records = checks.map(({ edit, kind, outcome, createdAt, ...result }, position) => {
    return { number: first + position, edit, kind, outcome, createdAt, result };
  });
  await client.query(ADD, [lessonId, storableJson(records)]);
}
