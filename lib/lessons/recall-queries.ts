import { z } from 'zod';
import {
  LESSON_KINDS,
  LESSON_STATUSES,
  type LessonKind,
  RECALL_EFFECTS,
  type RecalledText,
} from '#lib/core/lesson-schema.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import type { InputTerm, TermStatistics } from './terms.ts';

/*
 * The queries of a recall: each step of a run waits for them, so they go to the pool without a detour and are measured (by
 * `e2e/bench/recall-bench.ts`).
 */

type Pool = Pick<Database, 'pool'>;

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

const COLUMNS =
  'id, kind, text, task_type AS "taskType", coalesce(tools, \'{}\') AS tools, created_at AS "createdAt", text || \' \' || left(source_input, 200) || \' \' || also_from AS "foundBy"';
// As one text: an array of many takes the driver long to read. Stems have no spaces.
const WORDS = "array_to_string(tsvector_to_array(search), ' ') AS words";
type CandidateRow = Omit<RecallCandidate, 'createdAt' | 'words'> & { createdAt: Date; words: string };

/** Reads candidates; `from` is what follows the columns. */
async function readCandidates(
  { pool }: Pool,
  words: string,
  from: string,
  values: unknown[],
): Promise<RecallCandidate[]> {
  const { rows } = await pool.query<CandidateRow>(`SELECT ${COLUMNS}, ${words} ${from}`, values);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime(), words: row.words.split(' ') }));
}

/** What may reach other runs, by scope ($1 agent, $2 without). */
const RECALLABLE = `status = 'promoted' AND merged_into_id IS NULL AND ($1::text IS NULL OR agent IS NULL OR agent = $1) AND id <> ALL ($2::uuid[])`;

/** The promoted lessons of a scope that hold any of these words, at most 60: those that hold the most of them, then the newest. */
export async function recallCandidates(
  database: Pool,
  words: string[],
  { agent, without }: RecallScope,
): Promise<RecallCandidate[]> {
  if (words.length === 0) return [];
  return readCandidates(
    database,
    WORDS,
    `FROM (
       SELECT id FROM lessons WHERE search @@ $3::tsquery AND ${RECALLABLE}
       ORDER BY ts_rank(search, $3::tsquery) DESC, created_at DESC, id LIMIT ${MOST_CANDIDATES}) best
     JOIN lessons USING (id)`,
    [agent, without, words.map(quoted).join(' | ')],
  );
}

/** What the scope of a lesson may have in common with a task: its type, tools, and names of APIs that the input speaks of. */
type TaskScope = { taskType: string | null; tools: string[]; apiNames: string[] };

/** So many of each sort are looked at more closely, out of so many that are looked through. */
const MOST_OF_SCOPE = 30;
const LOOKED_THROUGH = 2_000;

/**
 * The newest promoted lessons of the same task type, with the same tools, or that speak of the same API, whatever their words: at most 30
 * of each, and 30 that share both type and tools. Each sort is looked for among the newest 2,000 of it, so that it takes no longer in a
 * large library; where more than 2,000 have a tool, among the newest 2,000 of all and any 2,000 that have it.
 */
export async function scopeCandidates(
  database: Pool,
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
  return readCandidates(database, WORDS, `FROM (${newest.join(' UNION ')}) chosen JOIN lessons USING (id)`, values);
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
  database: Pool,
  block: string,
  { agent, without }: RecallScope,
): Promise<RecallCandidate[]> {
  return readCandidates(
    database,
    "'' AS words",
    `FROM lessons WHERE block = $3 AND ${RECALLABLE} ORDER BY created_at DESC, id LIMIT ${MOST_OF_A_BLOCK}`,
    [agent, without, block],
  );
}

/** The newest promoted lessons of a scope, as many as `limit`, each with the MD5 of its text. */
export async function newestPromoted(
  database: Pool,
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
  database: Pool,
  ids: string[],
  onTrial: readonly string[] = [],
): Promise<RecallCandidate[]> {
  if (ids.length === 0) return [];
  return readCandidates(
    database,
    WORDS,
    `FROM lessons WHERE id = ANY ($1::uuid[])
       AND (status = 'promoted' AND merged_into_id IS NULL
         OR id = ANY ($2::uuid[]) AND admission <> 'held' AND NOT (status = 'candidate' AND withheld))
     ORDER BY array_position($1::uuid[], id)`,
    [ids, onTrial],
  );
}

/**
 * IDs of the promoted lessons that were learned from some of a tuning run's cases: by a run with the same input or, without its run, by the
 * beginning of the input. Lessons that another one of these was merged into are among them.
 */
export async function lessonsFromCases(database: Pool, runId: string, positions: readonly number[]): Promise<string[]> {
  if (positions.length === 0) return [];
  const inputs = 'FROM run_cases WHERE run_id = $1 AND position = ANY ($2::int[])';
  const lessons = await readCandidates(
    database,
    "'' AS words",
    `FROM lessons WHERE status = 'promoted' AND id IN (
       SELECT coalesce(l.merged_into_id, l.id) FROM lessons l JOIN runs r ON r.id = l.run_id WHERE r.input IN (SELECT input ${inputs})
       UNION SELECT coalesce(l.merged_into_id, l.id) FROM lessons l LEFT JOIN runs r ON r.id = l.run_id
         WHERE r.id IS NULL AND l.source_input IN (SELECT left(input, 200) ${inputs}))
     ORDER BY id`,
    [runId, positions],
  );
  return lessons.map(({ id }) => id);
}

/** A stem as `tsquery` reads it. */
function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Longer inputs are looked at at their two ends. */
const END_LENGTH = 10_000;

/** The words of a text as lessons are searched by them: their stems without the stop words, how often and where each stands, counted in words from 1. */
export async function inputTerms({ pool }: Pool, text: string): Promise<InputTerm[]> {
  const ends = text.length <= 2 * END_LENGTH ? text : `${text.slice(0, END_LENGTH)} ${text.slice(-END_LENGTH)}`;
  const { rows } = await pool.query<{ words: InputTerm[] | null }>({
    name: 'input-words',
    text: `SELECT json_agg(json_build_object('word', lexeme, 'count', cardinality(positions), 'first', positions[1], 'last', positions[cardinality(positions)])) AS words
      FROM unnest(to_tsvector('english', $1::text))`,
    values: [ends.toWellFormed()],
  });
  return rows[0]?.words ?? [];
}

/** How long statistics that were read are used, in milliseconds: the server itself renews them by and by. */
const FRESH_MS = 60_000;

const knownStatistics = new WeakMap<Database, { at: number; statistics: Promise<TermStatistics> }>();

// Of the column's frequencies the ones behind the words' own are their bounds.
const STATISTICS = `
  SELECT greatest(c.reltuples, 0)::float8 AS lessons, s.most_common_elems::text::text[] AS words, s.most_common_elem_freqs AS shares
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = 'search'
  WHERE c.oid = 'lessons'::regclass`;

/**
 * How common words are among the lessons, as PostgreSQL's own statistics say: the share of lessons (0 to 1) that hold each of the
 * up to 1,000 most common ones. Empty before the table was analysed for the first time, which autovacuum does once it has grown.
 */
export function termStatistics(database: Database): Promise<TermStatistics> {
  const now = performance.now();
  const last = knownStatistics.get(database);
  if (last !== undefined && now - last.at < FRESH_MS) return last.statistics;
  const statistics = readStatistics(database).catch((error: unknown) => {
    knownStatistics.delete(database);
    throw error;
  });
  knownStatistics.set(database, { at: now, statistics });
  return statistics;
}

async function readStatistics(database: Database): Promise<TermStatistics> {
  const { rows } = await database.pool.query<{ lessons: number; words: string[] | null; shares: number[] | null }>(
    STATISTICS,
  );
  const { lessons = 0, words, shares } = rows[0] ?? {};
  return { lessons, shares: new Map((words ?? []).map((word, position) => [word, shares?.[position] ?? 0])) };
}

/** The stems that promoted lessons hold, all of them: reads the whole library. */
export async function promotedWords({ pool }: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ words: string[] | null }>(
    "SELECT array_agg(word) AS words FROM ts_stat($$SELECT search FROM lessons WHERE status = 'promoted'$$)",
  );
  return new Set(rows[0]?.words ?? []);
}

/** Keeps vectors of lessons' texts; one of a lesson that was edited or deleted meanwhile is dropped. */
export async function saveLessonVectors(
  { pool }: Pool,
  { provider, model }: ModelReference,
  vectors: { id: string; text: string; vector: number[] }[],
): Promise<void> {
  await pool.query(
    `INSERT INTO lesson_embeddings (lesson_id, provider, model, vector)
     SELECT l.id, $2, $3, v.vector FROM json_to_recordset($1::json) AS v(id uuid, text text, vector real[])
     JOIN lessons l ON l.id = v.id AND l.text = v.text
     ON CONFLICT (lesson_id, provider, model) DO UPDATE SET vector = excluded.vector`,
    [storableJson(vectors), provider, model],
  );
}

/** The lessons that the experiment of a run was made to try. */
export async function lessonsOnTrial({ prisma }: Pick<Database, 'prisma'>, runId: string): Promise<string[]> {
  const run = await prisma.run.findUnique({ where: { id: runId }, select: { experimentId: true } });
  if (run === null) return [];
  const { experimentId } = run;
  const trials = await prisma.lessonTrial.findMany({ where: { experimentId }, select: { lessonId: true } });
  return trials.map(({ lessonId }) => lessonId);
}

/**
 * A lesson in the prompt of one of a run's versions. `text` is what stood there, also where the lesson was edited since; `score`: how
 * well it fitted, 0 to 1, null where it was not looked for by that; `effect`: what the version's evaluation says of it.
 */
const recalledSchema = z.object({
  version: z.int(),
  rank: z.int(),
  lessonId: z.string(),
  kind: z.enum(LESSON_KINDS),
  text: z.string(),
  status: z.enum(LESSON_STATUSES),
  score: z.number().nullable(),
  effect: z.enum(RECALL_EFFECTS).nullable(),
  /** The run wrote it itself. */
  isOwn: z.boolean(),
});
export type RecalledLessonText = z.infer<typeof recalledSchema>;

const givenSchema = z.array(
  z.object({ id: z.string(), kind: z.enum(LESSON_KINDS), text: z.string(), score: z.number().nullable() }),
);

/** The lessons in the prompts of a run's versions, by version and in the order of the prompt. A lesson that was deleted is not among them. */
export async function recalledTexts(
  { prisma }: Pick<Database, 'prisma'>,
  runId: string,
): Promise<RecalledLessonText[]> {
  const recalls = await prisma.recall.findMany({
    where: { runId },
    include: { lesson: { select: { kind: true, status: true, text: true, runId: true } } },
    orderBy: [{ version: 'asc' }, { rank: 'asc' }],
  });
  if (recalls.length === 0) return [];
  const [versions, steps] = await Promise.all([
    prisma.reflectionVersion.findMany({ where: { runId }, select: { number: true, step: true } }),
    prisma.stepRecall.findMany({ where: { runId } }),
  ]);
  const stepOf = new Map(versions.map(({ number, step }) => [number, step]));
  const givenIn = new Map(steps.map(({ step, lessons }) => [step, givenSchema.parse(lessons)]));
  return recalls.flatMap(({ version, rank, lessonId, score, effect, lesson }) => {
    const step = stepOf.get(version);
    if (step === undefined) return [];
    const given = givenIn.get(step)?.find(({ id }) => id === lessonId);
    return recalledSchema.parse({
      ...{ version, rank, lessonId, kind: lesson.kind, status: lesson.status, score, effect },
      ...{ text: given?.text ?? lesson.text, isOwn: lesson.runId === runId },
    });
  });
}

/** What was kept for a step of a run; null where nothing was. */
export async function findStepRecall(
  { prisma }: Pick<Database, 'prisma'>,
  runId: string,
  step: number,
): Promise<RecalledText[] | null> {
  const kept = await prisma.stepRecall.findUnique({ where: { runId_step: { runId, step } } });
  return kept === null ? null : givenSchema.parse(kept.lessons);
}

/** Keeps what was found for a step before its model is asked; a newer answer for the same step replaces it. Only the run's present worker can. */
export async function saveStepRecall(
  { pool }: Pool,
  { runId, claim }: { runId: string; claim: number },
  step: number,
  lessons: RecalledText[],
): Promise<void> {
  await pool.query({
    name: 'keep-step-recall',
    text: `INSERT INTO step_recalls (run_id, step, lessons) SELECT id, $3, $4 FROM runs WHERE id = $1 AND claim = $2
      ON CONFLICT (run_id, step) DO UPDATE SET lessons = excluded.lessons`,
    values: [runId, claim, step, storableJson(lessons)],
  });
}

/** So many of the latest runs are looked through for the same input. */
const LATEST_RUNS = 1_000;

const BASELINES = `
  SELECT (
      SELECT coalesce(json_object_agg(l.id, l.source_score), '{}') FROM lessons l LEFT JOIN runs r ON r.id = l.run_id
      WHERE l.id = ANY ($1::uuid[]) AND l.source_score IS NOT NULL AND l.source_input <> ''
        AND CASE WHEN r.id IS NULL THEN l.source_input = left($2::text, 200) ELSE r.input = $2 END) AS sources,
    (SELECT avg(r.first_score)
      FROM (SELECT * FROM runs WHERE experiment_id = $3 ORDER BY number DESC LIMIT ${LATEST_RUNS}) r
      WHERE r.experiment_version = $4 AND r.id <> $5 AND r.status = 'finished' AND r.first_score IS NOT NULL AND r.input = $2
        AND NOT EXISTS (SELECT 1 FROM recalls k WHERE k.run_id = r.id AND k.version = 0)) AS "meanFirst"`;

type FirstVersion = { runId: string; experimentId: string; experimentVersion: number; input: string };

/**
 * What first versions of an input scored without recalled lessons, 0 to 1: for each of the lessons that was learned from this very input, the
 * score of what it was learned from; and the mean of finished runs under the same settings, null where there are none.
 */
export async function recallBaselines(
  database: Pool,
  { runId, experimentId, experimentVersion, input }: FirstVersion,
  lessonIds: string[],
): Promise<{ sourceScores: Map<string, number>; meanFirst: number | null }> {
  const { rows } = await database.pool.query<{ sources: Record<string, number>; meanFirst: number | null }>(BASELINES, [
    lessonIds,
    input,
    experimentId,
    experimentVersion,
    runId,
  ]);
  const { sources = {}, meanFirst = null } = rows[0] ?? {};
  return { sourceScores: new Map(Object.entries(sources)), meanFirst };
}

const stemRows = z.array(z.object({ word: z.string(), stem: z.string() }));

/** The stems by which lessons are searched for words; stop words have none. */
export async function wordStems({ pool }: Pool, words: string[]): Promise<Map<string, string>> {
  const { rows: found } = await pool.query<Record<string, unknown>>(
    `SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) word
     WHERE cardinality(ts_lexize('english_stem', word)) > 0`,
    [words],
  );
  return new Map(stemRows.parse(found).map(({ word, stem }) => [word, stem]));
}
