import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  LESSON_KINDS,
  LESSON_STATUSES,
  type LessonKind,
  RECALL_EFFECTS,
  type RecalledText,
  SOURCE_INPUT_LENGTH,
} from '#lib/core/lesson-schema.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { redactedExcerpt } from './redact-lesson.ts';
import type { InputTerm, TermStatistics } from './terms.ts';

/*
 * Queries of a recall. Each step of a run waits for them, so they use the connection pool directly and are benchmarked
 * (`e2e/bench/recall-bench.ts`).
 */

type Pool = Pick<Database, 'pool'>;

/** Scope of recallable lessons. `agent` null includes all agents. A lesson without agent is for any agent. `without`: ids to exclude. */
export type RecallScope = { agent: string | null; without: string[] };

/** A lesson that may be recalled. `words`: its searchable stems. `createdAt`: milliseconds since 1970. */
export type RecallCandidate = {
  id: string;
  kind: LessonKind;
  text: string;
  taskType: string | null;
  tools: string[];
  createdAt: number;
  words: string[];
  /** All searchable text. */
  foundBy: string;
};

/** Maximum number of candidates for ranking. */
const MAX_RECALL_CANDIDATES = 60;
const MAX_BLOCK_LESSONS = 1_000;

const COLUMNS =
  'id, kind, text, task_type AS "taskType", coalesce(tools, \'{}\') AS tools, created_at AS "createdAt", text || \' \' || left(source_input, 200) || \' \' || also_from AS "foundBy"';
// As one text, because the driver parses long arrays slowly. Stems contain no spaces.
const WORDS = "array_to_string(tsvector_to_array(search), ' ') AS words";
type CandidateRow = Omit<RecallCandidate, 'createdAt' | 'words'> & { createdAt: Date; words: string };

/** Reads candidates. `from` is the part of the statement after the columns. */
async function readCandidates(
  { pool }: Pool,
  words: string,
  from: string,
  values: unknown[],
): Promise<RecallCandidate[]> {
  const { rows } = await pool.query<CandidateRow>(`SELECT ${COLUMNS}, ${words} ${from}`, values);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime(), words: row.words.split(' ') }));
}

/** Condition for lessons that other runs may recall, by scope ($1 agent, $2 without). */
const RECALLABLE = `status = 'promoted' AND merged_into_id IS NULL AND ($1::text IS NULL OR agent IS NULL OR agent = $1) AND id <> ALL ($2::uuid[])`;

/**
 * Returns the promoted lessons of a scope that contain any of these words, at most 60. Those with the most words come first, then the
 * newest.
 */
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
       ORDER BY ts_rank(search, $3::tsquery) DESC, created_at DESC, id LIMIT ${MAX_RECALL_CANDIDATES}) best
     JOIN lessons USING (id)`,
    [agent, without, words.map(quoted).join(' | ')],
  );
}

/** Scope of a task to match with lessons: its type, tools, and the names of APIs in the input. */
type TaskScope = { taskType: string | null; tools: string[]; apiNames: string[] };

/** Maximum number of candidates of each kind, and number of lessons searched for them. */
const MAX_SCOPE_CANDIDATES = 30;
const MAX_SCANNED_SCOPE_LESSONS = 2_000;

/**
 * Returns the newest promoted lessons with the same task type, tools or API, whatever their words. At most 30 of each, and 30 with both the
 * same type and tools. Each kind is searched among its newest 2,000, so that large libraries take no longer. If more than 2,000 have a
 * tool, the search covers the newest 2,000 of all and any 2,000 with the tool.
 */
export async function scopeCandidates(
  database: Pool,
  { taskType, tools, apiNames }: TaskScope,
  { agent, without }: RecallScope,
): Promise<RecallCandidate[]> {
  const values: unknown[] = [agent, without];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
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
    (sort) =>
      `(SELECT id FROM ${sort} sort WHERE ${RECALLABLE} ORDER BY created_at DESC, id LIMIT ${MAX_SCOPE_CANDIDATES})`,
  );
  return readCandidates(database, WORDS, `FROM (${newest.join(' UNION ')}) chosen JOIN lessons USING (id)`, values);
}

const LOOKED_AT = 'id, status, merged_into_id, agent, tools, created_at';

function newestOf(condition: string): string {
  return `(SELECT ${LOOKED_AT} FROM lessons WHERE status = 'promoted' AND ${condition} ORDER BY created_at DESC, id LIMIT ${MAX_SCANNED_SCOPE_LESSONS})`;
}

function anyOf(condition: string): string {
  return `(SELECT ${LOOKED_AT} FROM lessons WHERE status = 'promoted' AND ${condition} LIMIT ${MAX_SCANNED_SCOPE_LESSONS})`;
}

/** Returns all promoted lessons of a named block and scope, newest first, at most 1,000. */
export async function blockLessons(
  database: Pool,
  block: string,
  { agent, without }: RecallScope,
): Promise<RecallCandidate[]> {
  return readCandidates(
    database,
    "'' AS words",
    `FROM lessons WHERE block = $3 AND ${RECALLABLE} ORDER BY created_at DESC, id LIMIT ${MAX_BLOCK_LESSONS}`,
    [agent, without, block],
  );
}

/** Returns the newest promoted lessons of a scope, at most `limit`, each with the MD5 of its text. */
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

/** Returns lessons by id, in id order: promoted ones, and lessons in `onTrial` unless the screening holds them. Others are left out. */
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
 * Returns the ids of promoted lessons that were learned from these cases of a tuning run: by a run with the same input or, if that run is
 * deleted or of another installation, by the stored excerpt of its input. Includes lessons into which such a lesson was merged.
 */
export async function lessonsFromCases({ pool }: Pool, runId: string, positions: readonly number[]): Promise<string[]> {
  if (positions.length === 0) return [];
  const inputs = 'FROM run_cases WHERE run_id = $1 AND position = ANY ($2::int[])';
  const found = await pool.query<{ id: string }>(
    `SELECT p.id FROM lessons p WHERE p.status = 'promoted' AND p.id IN (
       SELECT coalesce(l.merged_into_id, l.id) FROM lessons l JOIN runs r ON r.id = l.run_id WHERE r.input IN (SELECT input ${inputs}))`,
    [runId, positions],
  );
  const ids = new Set(found.rows.map(({ id }) => id));
  const orphans = await pool.query<{ id: string; excerpt: string }>(
    `SELECT p.id, l.source_input AS excerpt FROM lessons l JOIN lessons p ON p.id = coalesce(l.merged_into_id, l.id)
       LEFT JOIN runs r ON r.id = l.run_id WHERE r.id IS NULL AND p.status = 'promoted' AND l.source_input <> ''`,
  );
  if (orphans.rows.length > 0) {
    const cases = await pool.query<{ input: string }>(`SELECT DISTINCT input ${inputs}`, [runId, positions]);
    const excerpts = new Set<string>();
    for (const { input } of cases.rows) for (const excerpt of await excerptsOf(input)) excerpts.add(excerpt);
    for (const { id, excerpt } of orphans.rows) if (excerpts.has(excerpt)) ids.add(id);
  }
  return [...ids].sort();
}

/** Excerpts by the hash of their input, because redaction takes milliseconds and each step of a tuning run compares the same cases. */
const knownExcerpts = new Map<string, string>();
const MAX_CACHED_EXCERPTS = 10_000;

/** Returns the excerpts that a lesson from this input may store: redacted, or plain if it was imported. */
async function excerptsOf(input: string): Promise<string[]> {
  const key = hash('sha256', input, 'base64');
  const known = knownExcerpts.get(key) ?? (await redactedExcerpt(input));
  if (knownExcerpts.size >= MAX_CACHED_EXCERPTS) knownExcerpts.clear();
  knownExcerpts.set(key, known);
  return [known, input.slice(0, SOURCE_INPUT_LENGTH).toWellFormed()];
}

/** Quotes a stem for `tsquery`. */
function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Of longer inputs, only both ends of this length are used. */
const END_LENGTH = 10_000;

/** Returns the search terms of a text: stems without stop words, with their frequency and positions, in words from 1. */
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

/** Cache time of statistics in milliseconds. PostgreSQL updates them periodically. */
const FRESH_MS = 60_000;

const knownStatistics = new WeakMap<Database, { at: number; statistics: Promise<TermStatistics> }>();

// The frequencies of the column after those of the words are their minimum and maximum.
const STATISTICS = `
  SELECT greatest(c.reltuples, 0)::float8 AS lessons, s.most_common_elems::text::text[] AS words, s.most_common_elem_freqs AS shares
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = 'search'
  WHERE c.oid = 'lessons'::regclass`;

/**
 * Returns the frequency of words among the lessons from PostgreSQL's statistics: the share of lessons (0 to 1) with each of up to 1,000
 * most common words. Empty before the table is first analyzed, which autovacuum does once it has grown.
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

/** Returns all stems in promoted lessons. Reads the whole library. */
export async function promotedWords({ pool }: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ words: string[] | null }>(
    "SELECT array_agg(word) AS words FROM ts_stat($$SELECT search FROM lessons WHERE status = 'promoted'$$)",
  );
  return new Set(rows[0]?.words ?? []);
}

/** Stores vectors of lesson texts. Skips lessons that were edited or deleted in the meantime. */
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

/** Returns the lessons on trial in a run's experiment. */
export async function lessonsOnTrial({ prisma }: DatabaseClient, runId: string): Promise<string[]> {
  const run = await prisma.run.findUnique({ where: { id: runId }, select: { experimentId: true } });
  if (run === null) return [];
  const { experimentId } = run;
  const trials = await prisma.lessonTrial.findMany({ where: { experimentId }, select: { lessonId: true } });
  return trials.map(({ lessonId }) => lessonId);
}

/**
 * A lesson in the prompt of one of a run's versions. `text` is the text in the prompt, even if the lesson was edited later. `score`:
 * relevance, 0 to 1, null if it was not ranked. `effect`: the effect according to the version's evaluation.
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
  /** True if the run wrote it. */
  isOwn: z.boolean(),
});
export type RecalledLessonText = z.infer<typeof recalledSchema>;

const givenSchema = z.array(recalledSchema.pick({ kind: true, text: true, score: true }).extend({ id: z.string() }));

/** Returns the lessons in the prompts of a run's versions, by version and in prompt order. Deleted lessons are missing. */
export async function recalledTexts({ prisma }: DatabaseClient, runId: string): Promise<RecalledLessonText[]> {
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
  const lessonsOfStep = new Map(steps.map(({ step, lessons }) => [step, givenSchema.parse(lessons)]));
  return recalls.flatMap(({ version, rank, lessonId, score, effect, lesson }) => {
    const step = stepOf.get(version);
    if (step === undefined) return [];
    const stored = lessonsOfStep.get(step)?.find(({ id }) => id === lessonId);
    return recalledSchema.parse({
      ...{ version, rank, lessonId, kind: lesson.kind, status: lesson.status, score, effect },
      ...{ text: stored?.text ?? lesson.text, isOwn: lesson.runId === runId },
    });
  });
}

/** Returns the stored recall of a step of a run, or null. */
export async function findStepRecall(
  { prisma }: DatabaseClient,
  runId: string,
  step: number,
): Promise<RecalledText[] | null> {
  const stored = await prisma.stepRecall.findUnique({ where: { runId_step: { runId, step } } });
  return stored === null ? null : givenSchema.parse(stored.lessons);
}

/** Stores the recall of a step before its model is called. Replaces an earlier one of the same step. Requires the run's current claim. */
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

/** Number of latest runs searched for the same input. */
const LATEST_RUNS = 1_000;

const SOURCES = `
  SELECT l.id, l.source_score AS score, l.source_input AS excerpt, r.input = $2 AS "isSame"
  FROM lessons l LEFT JOIN runs r ON r.id = l.run_id
  WHERE l.id = ANY ($1::uuid[]) AND l.source_score IS NOT NULL AND l.source_input <> ''`;

const MEAN_FIRST = `
  SELECT avg(r.first_score) AS "meanFirst"
  FROM (SELECT * FROM runs WHERE experiment_id = $1 ORDER BY number DESC LIMIT ${LATEST_RUNS}) r
  WHERE r.experiment_version = $2 AND r.id <> $3 AND r.status = 'finished' AND r.first_score IS NOT NULL AND r.input = $4
    AND NOT EXISTS (SELECT 1 FROM recalls k WHERE k.run_id = r.id AND k.version = 0)`;

type FirstVersion = { runId: string; experimentId: string; experimentVersion: number; input: string };

/**
 * Returns baseline scores of first versions without recalled lessons, 0 to 1. For each lesson learned from this input, the score of the
 * version it was learned from. Also the mean of finished runs with the same settings, null if there are none.
 */
export async function recallBaselines(
  { pool }: Pool,
  { runId, experimentId, experimentVersion, input }: FirstVersion,
  lessonIds: string[],
): Promise<{ sourceScores: Map<string, number>; meanFirst: number | null }> {
  const [sources, means] = await Promise.all([
    pool.query<{ id: string; score: number; excerpt: string; isSame: boolean | null }>(SOURCES, [lessonIds, input]),
    pool.query<{ meanFirst: number | null }>(MEAN_FIRST, [experimentId, experimentVersion, runId, input]),
  ]);
  const sourceScores = new Map<string, number>();
  for (const { id, score, excerpt, isSame } of sources.rows)
    if (isSame ?? (await excerptsOf(input)).includes(excerpt)) sourceScores.set(id, score);
  return { sourceScores, meanFirst: means.rows[0]?.meanFirst ?? null };
}

const stemRows = z.array(z.object({ word: z.string(), stem: z.string() }));

/** Returns the stems used to search lessons. Stop words have none. */
export async function wordStems({ pool }: Pool, words: string[]): Promise<Map<string, string>> {
  const { rows: found } = await pool.query<Record<string, unknown>>(
    `SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) word
     WHERE cardinality(ts_lexize('english_stem', word)) > 0`,
    [words],
  );
  return new Map(stemRows.parse(found).map(({ word, stem }) => [word, stem]));
}
