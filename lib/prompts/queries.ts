import { z } from 'zod';
import type { Database, Queryable } from '#lib/database/database.ts';
import {
  inLabelOrder,
  type PromptDetail,
  type PromptLabel,
  type PromptSetup,
  type PromptUse,
  type PromptVersion,
  type PromptVersionText,
  promptSetupSchema,
} from './prompt-library.ts';

/** Columns of a version `v` without its text, as `promptVersionRow` reads them; `r` is its run, joined or null. */
const VERSION_COLUMNS = `v.number, v.message, v.parent, v.run_id AS "runId", r.number AS "runNumber", v.run_version AS "runVersion",
  length(v.text) AS length, v.created_by AS "createdBy", v.created_at AS "createdAt"`;

const columns = z.object({
  number: z.int(),
  message: z.string(),
  parent: z.int().nullable(),
  runId: z.string().nullable(),
  runNumber: z.int().nullable(),
  runVersion: z.int().nullable(),
  length: z.int(),
  createdBy: z.string(),
  createdAt: z.date(),
});

const promptVersionRow = columns.transform(toVersion);
const promptTextRow = columns
  .extend({ text: z.string() })
  .transform((row): PromptVersionText => ({ ...toVersion(row), text: row.text }));

function toVersion(row: z.output<typeof columns>): PromptVersion {
  const { number, message, parent, runId, runNumber, runVersion, length, createdBy, createdAt } = row;
  const run = runVersion === null ? null : { id: runId, number: runNumber, version: runVersion };
  return { number, message, parent, run, length, createdBy, createdAt: createdAt.toISOString() };
}

export const promptLabelRow = z.object({
  label: z.string(),
  version: z.int(),
  movedBy: z.string(),
  movedAt: z.date().transform((value) => value.toISOString()),
});

export const labelMoveRow = promptLabelRow.extend({
  id: z.int(),
  version: z.int().nullable(),
  previous: z.int().nullable(),
  reason: z.string().nullable(),
});

/** Where the labels of a prompt stand: production first, then staging, then by name. Empty where there is no such prompt. */
export async function listLabels({ pool }: Pick<Database, 'pool'>, promptName: string): Promise<PromptLabel[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT label, version, moved_by AS "movedBy", moved_at AS "movedAt" FROM prompt_labels WHERE prompt_name = $1',
    [promptName],
  );
  return inLabelOrder(rows.map((row) => promptLabelRow.parse(row)));
}

/** Experiments `e` whose newest settings `v` name a prompt; `TUNED` is its name. */
const NEWEST = `experiments e JOIN experiment_versions v ON v.experiment_id = e.id AND v.version = e.latest_version`;
const TUNED = `v.settings->'tune'->'prompt'->>'name'`;

const useRow = z.object({
  experimentId: z.string(),
  name: z.string(),
  version: z.int(),
  updatedAt: z.date().transform((value) => value.toISOString()),
});

/** The experiments that tune a prompt by their newest settings, last changed first, at most `limit`. */
async function listPromptUses({ pool }: Pick<Database, 'pool'>, promptName: string, limit = 50): Promise<PromptUse[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT e.id AS "experimentId", e.name, (v.settings->'tune'->'prompt'->>'version')::int AS version, e.updated_at AS "updatedAt"
     FROM ${NEWEST} WHERE ${TUNED} = $1 ORDER BY e.updated_at DESC, e.id LIMIT $2`,
    [promptName, limit],
  );
  return rows.map((row) => useRow.parse(row));
}

const countRow = z.object({ name: z.string(), count: z.int() });

/** How many experiments tune each of these prompts by their newest settings; those without any are left out. */
export async function countPromptUses(
  { pool }: Pick<Database, 'pool'>,
  promptNames: string[],
): Promise<Map<string, number>> {
  if (promptNames.length === 0) return new Map();
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT ${TUNED} AS name, count(*)::int AS count FROM ${NEWEST} WHERE ${TUNED} = ANY ($1) GROUP BY 1`,
    [promptNames],
  );
  return new Map(rows.map((row) => countRow.parse(row)).map(({ name, count }) => [name, count]));
}

const date = z.date().transform((value) => value.toISOString());
const promptRow = z.object({
  name: z.string(),
  setup: promptSetupSchema,
  latestVersion: z.int(),
  createdAt: date,
  updatedAt: date,
});

const PROMPT = `SELECT name, setup, latest_version AS "latestVersion", created_at AS "createdAt", updated_at AS "updatedAt"
  FROM prompts WHERE name = $1`;
const VERSIONS = `SELECT ${VERSION_COLUMNS} FROM prompt_versions v LEFT JOIN runs r ON r.id = v.run_id
  WHERE v.prompt_name = $1 ORDER BY v.number DESC`;
const MOVES = `SELECT id, label, version, previous, reason, moved_by AS "movedBy", moved_at AS "movedAt"
  FROM prompt_label_moves WHERE prompt_name = $1 ORDER BY id DESC LIMIT 200`;

/** A prompt with its versions (without their texts), labels, the newest moves of labels, and what it is used by; null when there is none. */
export async function findPrompt(database: Pick<Database, 'pool'>, name: string): Promise<PromptDetail | null> {
  const read = (statement: string) => database.pool.query<Record<string, unknown>>(statement, [name]);
  const found = (await read(PROMPT)).rows[0];
  if (found === undefined) return null;
  const [versions, labels, moves, uses] = await Promise.all([
    read(VERSIONS),
    listLabels(database, name),
    read(MOVES),
    listPromptUses(database, name),
  ]);
  return {
    ...promptRow.parse(found),
    versions: versions.rows.map((row) => promptVersionRow.parse(row)),
    labels,
    moves: moves.rows.map((row) => labelMoveRow.parse(row)),
    uses,
  };
}

/** Which version of a prompt: a number, where a label stands, or the newest. */
export type PromptVersionBy = { version: number } | { label: string } | 'newest';

const READ = `SELECT ${VERSION_COLUMNS}, v.text FROM prompt_versions v LEFT JOIN runs r ON r.id = v.run_id WHERE v.prompt_name = $1`;

/** One version of a prompt with its text; null where there is no such prompt, version or label. */
export async function findPromptVersion(
  connection: Queryable,
  name: string,
  by: PromptVersionBy,
): Promise<PromptVersionText | null> {
  const { rows } = await read(connection, name, by);
  return rows[0] === undefined ? null : promptTextRow.parse(rows[0]);
}

function read(connection: Queryable, name: string, by: PromptVersionBy) {
  if (by === 'newest')
    return connection.query<Record<string, unknown>>(`${READ} ORDER BY v.number DESC LIMIT 1`, [name]);
  if ('version' in by)
    return connection.query<Record<string, unknown>>(`${READ} AND v.number = $2`, [name, by.version]);
  const standing = 'SELECT version FROM prompt_labels WHERE prompt_name = $1 AND label = $2';
  return connection.query<Record<string, unknown>>(`${READ} AND v.number = (${standing})`, [name, by.label]);
}

/** What a prompt is tried with; null where there is no such prompt. */
export async function findPromptSetup({ prisma }: Pick<Database, 'prisma'>, name: string): Promise<PromptSetup | null> {
  const row = await prisma.prompt.findUnique({ where: { name }, select: { setup: true } });
  return row === null ? null : promptSetupSchema.parse(row.setup);
}
