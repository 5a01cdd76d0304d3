import { z } from 'zod';
import { LESSON_KINDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import type { Database } from '#lib/database/database.ts';

/** Whose lessons may be recalled: `agent` null asks for all of them; a lesson of no agent is for any. `without`: ids to leave out. */
export type RecallScope = { agent: string | null; without: string[] };

/** A lesson that may be recalled. `words`: the stems it is found by; `createdAt` in milliseconds since 1970. */
export type RecallCandidate = {
  id: string;
  kind: LessonKind;
  text: string;
  taskType: string | null;
  tools: string[];
  createdAt: number;
  words: string[];
  /** All it is found by, as one text. */
  foundBy: string;
};

/** So many are looked at more closely. */
const MOST_CANDIDATES = 60;
const MOST_OF_A_BLOCK = 1_000;

const rowSchema = z
  .object({
    id: z.string(),
    kind: z.enum(LESSON_KINDS),
    text: z.string(),
    task_type: z.string().nullable(),
    tools: z.array(z.string()),
    created_at: z.date(),
    words: z.string(),
    found_by: z.string(),
  })
  .transform(
    ({ task_type, created_at, words, found_by, ...row }): RecallCandidate => ({
      ...row,
      taskType: task_type,
      createdAt: created_at.getTime(),
      words: words.split(' '),
      foundBy: found_by,
    }),
  );

const COLUMNS =
  "id, kind, text, task_type, coalesce(tools, '{}') AS tools, created_at, text || ' ' || left(source_input, 200) || ' ' || also_from AS found_by";
// As one text: an array of many takes the driver long to read. Stems have no spaces.
const WORDS = "array_to_string(tsvector_to_array(search), ' ') AS words";
/** What may reach other runs, by scope ($1 agent, $2 without). */
const RECALLABLE = `status = 'promoted' AND merged_into_id IS NULL AND ($1::text IS NULL OR agent IS NULL OR agent = $1) AND id <> ALL ($2::uuid[])`;

/** The promoted lessons of a scope that hold any of these words, at most 60: those that hold the most of them, then the newest. */
export async function recallCandidates(
  database: Database,
  words: string[],
  { agent, without }: RecallScope,
): Promise<RecallCandidate[]> {
  if (words.length === 0) return [];
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT ${COLUMNS}, ${WORDS} FROM (
       SELECT id FROM lessons WHERE search @@ $3::tsquery AND ${RECALLABLE}
       ORDER BY ts_rank(search, $3::tsquery) DESC, created_at DESC, id LIMIT ${MOST_CANDIDATES}) best
     JOIN lessons USING (id)`,
    [agent, without, words.map(quoted).join(' | ')],
  );
  return rows.map((row) => rowSchema.parse(row));
}

/** What the scope of a lesson may have in common with a task: its type, tools, and names of APIs that the input speaks of. */
export type TaskScope = { taskType: string | null; tools: string[]; apiNames: string[] };

/** So many of each sort are looked at more closely, out of so many that are looked through. */
const MOST_OF_SCOPE = 30;
const LOOKED_THROUGH = 2_000;

/**
 * The newest promoted lessons of the same task type, with the same tools, or that speak of the same API, whatever their words: at most 30
 * of each, and 30 that share both type and tools. Each sort is looked for among the newest 2,000 of it, so that it takes no longer in a
 * large library; where more than 2,000 have a tool, among the newest 2,000 of all and any 2,000 that have it.
 */
export async function scopeCandidates(
  database: Database,
  { taskType, tools, apiNames }: TaskScope,
  { agent, without }: RecallScope,
): Promise<RecallCandidate[]> {
  const values: unknown[] = [agent, without];
  const value = (given: unknown) => `$${values.push(given)}`;
  const sorts: string[] = [];
  const toolsValue = tools.length === 0 ? null : `${value(tools)}::text[]`;
  if (taskType !== null) {
    const ofTask = newestOf(`task_type = ${value(taskType)}`);
    sorts.push(ofTask);
    if (toolsValue !== null) sorts.push(`(SELECT * FROM ${ofTask} both_of WHERE tools && ${toolsValue})`);
  }
  if (toolsValue !== null)
    sorts.push(
      `(SELECT * FROM ${newestOf('true')} newest WHERE tools && ${toolsValue} UNION SELECT * FROM ${anyOf(`tools && ${toolsValue}`)} rare)`,
    );
  if (apiNames.length > 0) {
    const query = apiNames.map((name) => `phraseto_tsquery('english', ${value(name)}::text)`).join(' || ');
    sorts.push(anyOf(`search @@ (${query})`));
  }
  if (sorts.length === 0) return [];
  const newest = sorts.map(
    (sort) => `(SELECT id FROM ${sort} sort WHERE ${RECALLABLE} ORDER BY created_at DESC, id LIMIT ${MOST_OF_SCOPE})`,
  );
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT ${COLUMNS}, ${WORDS} FROM (${newest.join(' UNION ')}) chosen JOIN lessons USING (id)`,
    values,
  );
  return rows.map((row) => rowSchema.parse(row));
}

const LOOKED_AT = 'id, status, merged_into_id, agent, tools, created_at';

function newestOf(condition: string): string {
  return `(SELECT ${LOOKED_AT} FROM lessons WHERE status = 'promoted' AND ${condition} ORDER BY created_at DESC, id LIMIT ${LOOKED_THROUGH})`;
}

function anyOf(condition: string): string {
  return `(SELECT ${LOOKED_AT} FROM lessons WHERE status = 'promoted' AND ${condition} LIMIT ${LOOKED_THROUGH})`;
}

/** All promoted lessons of a named block and scope, the newest first, at most 1,000. */
export async function blockLessons(
  database: Database,
  block: string,
  { agent, without }: RecallScope,
): Promise<RecallCandidate[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT ${COLUMNS}, '' AS words FROM lessons WHERE block = $3 AND ${RECALLABLE}
     ORDER BY created_at DESC, id LIMIT ${MOST_OF_A_BLOCK}`,
    [agent, without, block],
  );
  return rows.map((row) => rowSchema.parse(row));
}

/** The newest promoted lessons of a scope, as many as `limit`, each with the MD5 of its text. */
export async function newestPromoted(
  database: Database,
  { agent, without }: RecallScope,
  limit: number,
): Promise<{ id: string; hash: string }[]> {
  const { rows } = await database.pool.query<{ id: string; hash: string }>(
    `SELECT id, md5(text) AS hash FROM lessons WHERE ${RECALLABLE} ORDER BY created_at DESC, id LIMIT $3`,
    [agent, without, limit],
  );
  return rows;
}

/**
 * Lessons by their ids, in the order of the ids: promoted ones, and of those `onTrial` also others that the screening does not hold. All
 * others are left out.
 */
export async function lessonsByIds(
  database: Database,
  ids: string[],
  onTrial: readonly string[] = [],
): Promise<RecallCandidate[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT ${COLUMNS}, ${WORDS} FROM lessons WHERE id = ANY ($1::uuid[])
       AND (status = 'promoted' AND merged_into_id IS NULL
         OR id = ANY ($2::uuid[]) AND admission <> 'held' AND NOT (status = 'candidate' AND withheld))
     ORDER BY array_position($1::uuid[], id)`,
    [ids, onTrial],
  );
  return rows.map((row) => rowSchema.parse(row));
}

/** A stem as `tsquery` reads it. */
function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
