import { z } from 'zod';
import { evaluationSchema } from '#lib/core/history.ts';
import {
  type LessonBrief,
  type LessonDetail,
  type LessonEdit,
  type LessonListItem,
  type LessonOrigin,
  type LessonRecall,
  type LessonScope,
  type LessonSource,
  type LessonState,
  lessonDetailSchema,
  lessonOriginSchema,
} from '#lib/core/lesson-library.ts';
import {
  archiveYearOf,
  FOR_ALL_AGENTS,
  LESSON_ADMISSIONS,
  LESSON_KINDS,
  LESSON_STATUSES,
  type LessonFilter,
  type LessonKind,
  type LessonScopePart,
  type LessonStatus,
} from '#lib/core/lesson-schema.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { composeFeedback } from '#lib/database/evaluation-texts.ts';
import {
  EFFECTIVE_FIRST,
  type Page,
  pageOf,
  prefixQuery,
  readTimeCursor,
  timeCursor,
  withIsoTimes,
  yearBounds,
} from '#lib/database/query-values.ts';
import type { PairedLift } from '#lib/statistics/paired-lift-schema.ts';
import { reportTrial, type TrialReport } from '#lib/statistics/trial-report.ts';
import { checkOf, fieldsSchema, IN_ORDER } from './load-lesson.ts';
import { isRefuted, REFUTING_HARMS } from './review-status.ts';

/** Maximum number of uses counted per lesson. */
const MAX_USES = 1_000;

/** Columns of a lesson in a list; `l` = lessons. */
const ITEM_COLUMNS = `l.id, l.kind, l.status, l.text, l.run_id AS "runId", l.version, l.source_input AS "sourceInput",
  l.source_score AS "sourceScore", l.created_by AS "createdBy", l.created_at AS "createdAt",
  (SELECT v.iteration FROM reflection_versions v WHERE v.run_id = l.run_id AND v.number = l.version) AS iteration,
  l.admission, l.fields, l.agent, l.task_type AS "taskType", coalesce(l.tools, '{}') AS tools, l.block,
  l.merged_into_id AS "mergedIntoId", l.helpful, l.harmful, l.neutral, l.last_used_at AS "lastUsedAt", l.reviewed_by AS "reviewedBy",
  l.reviewed_at AS "reviewedAt",
  (SELECT count(*)::int FROM (SELECT 1 FROM recalls k WHERE k.lesson_id = l.id LIMIT ${MAX_USES}) u) AS used`;

type ItemRow = LessonScope &
  Omit<LessonListItem, 'scope' | 'source' | 'createdAt' | 'lastUsedAt' | 'reviewedAt' | 'isRefuted' | 'archiveYear'> &
  Pick<LessonSource, 'runId' | 'version' | 'iteration'> & {
    sourceInput: string;
    sourceScore: number | null;
    createdAt: Date;
    lastUsedAt: Date | null;
    reviewedAt: Date | null;
  };

/** A statement that selects `ITEM_COLUMNS`. */
type Statement = { text: string; values: unknown[] };

async function readItems({ prisma }: DatabaseClient, { text, values }: Statement): Promise<LessonListItem[]> {
  const rows = await prisma.$queryRawUnsafe<ItemRow[]>(text, ...values);
  return rows.map(({ runId, version, iteration, sourceInput, sourceScore, agent, taskType, tools, ...row }) => {
    const item = withIsoTimes(row);
    return {
      ...item,
      scope: { agent, taskType, tools },
      source: { runId, version, iteration, input: sourceInput, score: sourceScore },
      isRefuted: row.status === 'promoted' && isRefuted(row),
      archiveYear: archiveYearOf(item),
    };
  });
}

function briefOf({ id, kind, status, text, createdBy, createdAt, source }: LessonListItem): LessonBrief {
  return { id, kind, status, text, createdBy, createdAt, source };
}

/**
 * Returns a page of the lessons that match a filter, newest or most helpful first. `page.cursor` is the `nextCursor` of the previous page
 * in the same order. An invalid cursor returns the first page. Each page is read with an index, regardless of the number of lessons.
 */
export async function listLessons(
  database: DatabaseClient,
  filter: LessonFilter,
  page: { cursor: string | null; limit: number },
): Promise<Page<LessonListItem>> {
  const read = (way: ListStrategy) => readItems(database, listStatement(filter, page, way));
  // Common words are found quickly by scanning lessons in order. The word index would have to sort all lessons that contain them.
  const isWalked = filter.only === null || filter.only === 'refuted' || filter.only === 'unmerged';
  const met = filter.query.trim() === '' || !isWalked ? [] : await read('walk');
  const items = met.length > page.limit ? met : await read('index');
  return pageOf(items, page.limit, (item) =>
    filter.order === 'newest' ? timeCursor(item) : `${item.helpful}_${timeCursor(item)}`,
  );
}

/** Number of lessons scanned for words before the word index is used. */
const MAX_SCANNED_LESSONS = 2_000;
type ListStrategy = 'walk' | 'index';

/** Returns the statement for a page, with one extra row. With `walk`, the result may be incomplete unless it has that many rows. */
export function listStatement(
  filter: LessonFilter,
  page: { cursor: string | null; limit: number },
  way: ListStrategy = 'index',
): Statement {
  const values: unknown[] = [];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  const conditions: string[] = [];
  // Forces the word index: `OFFSET 0` keeps the planner from scanning all lessons in order.
  const words =
    filter.query.trim() === '' ? null : `search @@ to_tsquery('english', ${value(prefixQuery(filter.query))})`;
  const lessons = words === null || way === 'walk' ? 'lessons l' : `(SELECT * FROM lessons WHERE ${words} OFFSET 0) l`;
  if (filter.kind !== null) conditions.push(`l.kind = ${value(filter.kind)}`);
  if (filter.status !== null) conditions.push(`l.status = ${value(filter.status)}`);
  if (filter.year !== null) {
    const { from, to } = yearBounds(filter.year);
    conditions.push(`l.status = 'archived' AND l.created_at >= ${value(from)} AND l.created_at < ${value(to)}`);
  }
  if (filter.scope?.by === 'agent' && filter.scope.value === FOR_ALL_AGENTS) conditions.push('l.agent IS NULL');
  else if (filter.scope !== null) conditions.push(SCOPE[filter.scope.by](value(filter.scope.value)));
  if (filter.only === 'assigned')
    conditions.push(`l.id IN (SELECT lesson_id FROM assignments WHERE member_id = ${value(filter.personId ?? '')})`);
  if (filter.only === 'contested') conditions.push(`l.id IN (${CONTESTED})`);
  conditions.push(...after(filter, page.cursor, value));
  const limit = value(page.limit + 1);
  const order = ORDER[filter.order];
  const branches = filter.only === null ? [null] : ONLY_CONDITIONS[filter.only];
  const parts = branches.map((branch) => {
    const where = [...(branch === null ? [] : [branch]), ...conditions];
    const most = words !== null && way === 'walk' ? MAX_SCANNED_LESSONS : limit;
    return `(SELECT l.* FROM ${lessons}${where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`} ORDER BY ${order} LIMIT ${most})`;
  });
  return {
    text: `SELECT ${ITEM_COLUMNS} FROM (${parts.join(' UNION ALL ')}) l${words !== null && way === 'walk' ? ` WHERE ${words}` : ''} ORDER BY ${order} LIMIT ${limit}`,
    values,
  };
}

/** Lessons whose current text has reviewer votes for and against. */
const CONTESTED = `SELECT p.lesson_id FROM lesson_opinions p JOIN lesson_opinions c USING (lesson_id, edit)
  WHERE p.verdict = 'promote' AND c.verdict = 'reject'
    AND edit = (SELECT count(*) FROM lesson_edits d WHERE d.lesson_id = p.lesson_id)`;

/** Maximum number of contested lessons counted. */
const MAX_CONTESTED_LESSONS = 5_000;

/** Lists lessons that wait for a decision and have reviewer votes for and against. */
export async function listContestedLessons({ prisma }: DatabaseClient): Promise<string[]> {
  const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(
    `SELECT l.id FROM lessons l WHERE (${REVIEW.join(' OR ')}) AND l.id IN (${CONTESTED}) LIMIT ${MAX_CONTESTED_LESSONS}`,
  );
  return rows.map(({ id }) => id);
}

/** Conditions of each selection. Each condition has its own index, except `unmerged`, which most lessons fulfil. */
const HELD = "l.admission = 'held' AND l.status = 'candidate'";
const REVIEW = ["l.status = 'quarantined'", HELD];
const ONLY_CONDITIONS: Record<NonNullable<LessonFilter['only']>, string[]> = {
  review: REVIEW,
  held: ["l.admission = 'held' AND l.status = 'quarantined'", HELD],
  clear: LESSON_ADMISSIONS.filter((admission) => admission !== 'held').map(
    (admission) => `l.admission = '${admission}' AND l.status = 'quarantined'`,
  ),
  contested: REVIEW,
  assigned: REVIEW,
  refuted: [`l.status = 'promoted' AND l.harmful >= ${REFUTING_HARMS} AND l.harmful > l.helpful`],
  merged: ['l.merged_into_id IS NOT NULL'],
  unmerged: ['l.merged_into_id IS NULL'],
};

const ORDER: Record<LessonFilter['order'], string> = {
  newest: 'l.created_at DESC, l.id',
  most_helpful: 'l.helpful DESC, l.created_at DESC, l.id',
};

const SCOPE: Record<LessonScopePart, (value: string) => string> = {
  agent: (value) => `l.agent = ${value}`,
  taskType: (value) => `l.task_type = ${value}`,
  tool: (value) => `${value} = ANY (l.tools)`,
};

function after(filter: LessonFilter, cursor: string | null, value: (parameter: unknown) => string): string[] {
  const [, count, rest] = cursor?.match(/^(?:(\d{1,9})_)?(\d{1,15}_[0-9a-f-]{36})$/) ?? [];
  const after = readTimeCursor(rest ?? null);
  if (after === null || (filter.order === 'newest') !== (count === undefined)) return [];
  const at = value(after.at);
  const id = value(after.id);
  const later = `(l.created_at < ${at} OR (l.created_at = ${at} AND l.id > ${id}::uuid))`;
  if (count === undefined) return [`l.created_at <= ${at}`, later];
  const helpful = value(Number(count));
  return [`l.helpful <= ${helpful}`, `(l.helpful < ${helpful} OR ${later})`];
}

const WALKED_AT_ONCE = 500;

const date = z.date().transform((value) => value.toISOString());

const walkedSchema = z.object({
  kind: z.enum(LESSON_KINDS),
  status: z.enum(LESSON_STATUSES),
  text: z.string(),
  fields: fieldsSchema,
  block: z.string(),
  agent: z.string().nullable(),
  taskType: z.string().nullable(),
  tools: z.array(z.string()),
  sourceInput: z.string(),
  sourceScore: z.number().nullable(),
  createdBy: z.string(),
  createdAt: date,
});
/** A lesson without its id, effects and reviews: the parts that another library can use. */
export type WalkedLesson = z.infer<typeof walkedSchema>;

/** The lessons of a kind, with a status, or of a year. Null matches all. */
export type WalkedPart = { kind: LessonKind | null; status: LessonStatus | null; year: number | null };

/**
 * Yields the lessons of a part of the library, newest first, a few hundred at a time. The input from which a run's lesson was learned is
 * omitted until it has been redacted.
 */
export async function* walkLessons(
  { prisma }: DatabaseClient,
  { kind, status, year }: WalkedPart,
): AsyncGenerator<WalkedLesson> {
  const bounds = year === null ? null : yearBounds(year);
  let last: { id: string; createdAt: Date } | undefined;
  do {
    const lessons = await prisma.lesson.findMany({
      where: {
        ...(kind !== null && { kind }),
        ...(status !== null && { status }),
        AND: [
          bounds === null ? {} : { createdAt: { gte: bounds.from, lt: bounds.to } },
          last === undefined ? {} : { createdAt: { lte: last.createdAt } },
          last === undefined ? {} : { OR: [{ createdAt: { lt: last.createdAt } }, { id: { gt: last.id } }] },
        ],
      },
      select: {
        ...{ id: true, kind: true, status: true, text: true, fields: true, block: true, agent: true, taskType: true },
        ...{ tools: true, sourceInput: true, sourceScore: true, createdBy: true, createdAt: true },
        ...{ runId: true, admission: true },
      },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      take: WALKED_AT_ONCE,
    });
    for (const { id: _id, runId, admission, ...lesson } of lessons) {
      const isRaw = runId !== null && (admission === 'waiting' || admission === 'staged');
      yield walkedSchema.parse({ ...lesson, sourceInput: isRaw ? '' : lesson.sourceInput });
    }
    last = lessons.length < WALKED_AT_ONCE ? undefined : lessons.at(-1);
  } while (last !== undefined);
}

/** Maximum characters of a case's input and a version's output shown with a lesson. */
const SHOWN_LENGTH = 2_000;

/** The overall score of an evaluation. Null if it has none. */
const SCORE = "CASE WHEN e.status = 'scored' THEN e.overall_score END";

/** Returns the run and version from which a lesson was learned, with its last evaluation. Null if there is none or it was deleted. */
async function findOrigin({ prisma }: DatabaseClient, source: LessonSource): Promise<LessonOrigin | null> {
  if (source.runId === null) return null;
  const run = await prisma.run.findUnique({
    where: { id: source.runId },
    select: { id: true, number: true, experimentId: true, input: true, experiment: { select: { name: true } } },
  });
  if (run === null) return null;
  const origin = { runId: run.id, number: source.version ?? NO_VERSION };
  const version = await prisma.reflectionVersion.findUnique({ where: { runId_number: origin } });
  // Evaluations by people take precedence.
  const evaluation = await prisma.evaluation.findFirst({
    where: { runId: run.id, version: version?.number ?? NO_VERSION },
    orderBy: [{ by: 'desc' }, { ordinal: 'desc' }],
  });
  return lessonOriginSchema.parse({
    runId: run.id,
    runNumber: run.number,
    experimentId: run.experimentId,
    experimentName: run.experiment.name,
    version: version?.number ?? null,
    iteration: version?.iteration ?? null,
    input: beginning(run.input),
    output: version === null ? null : beginning(version.output),
    score: evaluation?.status === 'scored' ? evaluation.overallScore : null,
    issues: evaluation?.issues ?? [],
    reasons: evaluation?.reasons ?? {},
    feedback:
      evaluation === null ? null : (evaluation.feedback ?? composeFeedback(evaluationReasons.parse(evaluation))),
  });
}

const evaluationReasons = evaluationSchema.pick({ reasons: true });

/** A number that no version has. */
const NO_VERSION = -1;

function beginning(text: string): string {
  return text.slice(0, SHOWN_LENGTH).toWellFormed();
}

/** Maximum number of uses, and of merged lessons, shown with a lesson. */
const MAX_SHOWN_ENTRIES = 100;

/** Returns the effective overall score of a version of the recalling run. Null if unscored. */
function scoreOf(version: string): string {
  return `(SELECT ${SCORE} FROM evaluations e
    WHERE e.run_id = k.run_id AND e.version = ${version} ORDER BY ${EFFECTIVE_FIRST} LIMIT 1)`;
}

/** Lists the newest 100 versions whose prompts contained a lesson, with the scores before and after. */
async function listRecalls(
  { prisma }: DatabaseClient,
  { id, source }: { id: string; source: Pick<LessonSource, 'runId'> },
): Promise<LessonRecall[]> {
  const rows = await prisma.$queryRawUnsafe<(Omit<LessonRecall, 'createdAt'> & { createdAt: Date })[]>(
    `SELECT k.run_id AS "runId", r.number AS "runNumber", r.experiment_id AS "experimentId", x.name AS "experimentName",
       left(r.input, 200) AS input, k.version, k.rank, k.score, k.effect, coalesce(k.run_id = $2::uuid, false) AS "isOwnRun",
       v.created_at AS "createdAt", ${scoreOf('coalesce(v.parents[1], k.version - 1)')} AS "scoreBefore", ${scoreOf('k.version')} AS "scoreAfter"
     FROM recalls k
     JOIN runs r ON r.id = k.run_id
     JOIN experiments x ON x.id = r.experiment_id
     JOIN reflection_versions v ON v.run_id = k.run_id AND v.number = k.version
     WHERE k.lesson_id = $1::uuid ORDER BY v.created_at DESC, k.run_id, k.version LIMIT ${MAX_SHOWN_ENTRIES}`,
    id,
    source.runId,
  );
  return rows.map(withIsoTimes);
}

const BY_TIME: { orderBy: { createdAt?: 'asc'; id?: 'asc' }[] } = { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] };

/** Returns a lesson with all details, or null if it does not exist. */
export async function findLesson(database: Database, lessonId: string): Promise<LessonDetail | null> {
  const itemsWhere = (where: string, id: string | null) =>
    readItems(database, { text: `SELECT ${ITEM_COLUMNS} FROM lessons l WHERE ${where}`, values: [id] });
  const [lesson] = await itemsWhere('l.id = $1::uuid', lessonId);
  if (lesson === undefined) return null;
  const [known, merged, mergedInto, recalls, origin] = await Promise.all([
    database.prisma.lesson.findUnique({
      where: { id: lessonId },
      select: { edits: IN_ORDER, checks: IN_ORDER, reviews: IN_ORDER, comments: BY_TIME, trials: BY_TIME },
    }),
    itemsWhere(`l.merged_into_id = $1::uuid ORDER BY l.created_at, l.id LIMIT ${MAX_SHOWN_ENTRIES}`, lessonId),
    itemsWhere('l.id = $1::uuid', lesson.mergedIntoId),
    listRecalls(database, lesson),
    findOrigin(database, lesson.source),
  ]);
  if (known === null) return null;
  const mergedCount =
    merged.length < MAX_SHOWN_ENTRIES
      ? merged.length
      : await database.prisma.lesson.count({ where: { mergedIntoId: lessonId } });
  const checks = known.checks.map(checkOf);
  return {
    ...lesson,
    editCount: known.edits.length,
    findings: checks.findLast((check) => check.kind === 'screen')?.findings ?? [],
    edits: editsOf(z.array(editSchema).parse(known.edits), lesson),
    checks,
    origin,
    recalls,
    merged: merged.map(briefOf),
    mergedCount,
    mergedInto: mergedInto.map(briefOf)[0] ?? null,
    reviews: lessonDetailSchema.shape.reviews.parse(known.reviews.map(withIsoTimes)),
    comments: known.comments.map(withIsoTimes).map(({ lessonId: _lesson, actorId: _actor, ...comment }) => comment),
    trials: known.trials.map(withIsoTimes).map(({ lessonId: _lesson, ...trial }) => trial),
  };
}

const editSchema = z.object({
  number: z.int(),
  text: z.string(),
  fields: fieldsSchema,
  scope: z.object({
    agent: z.string().nullable().default(null),
    taskType: z.string().nullable().default(null),
    tools: z.array(z.string()).default([]),
  }),
  actor: z.string(),
  reason: z.string().nullable(),
  createdAt: date,
});

/**
 * Builds the edits of a lesson. Each row stores the state before it. The state after it comes from the next edit, or is the current one.
 */
function editsOf(rows: z.output<typeof editSchema>[], now: LessonState): LessonEdit[] {
  const states: LessonState[] = [...rows, now].map(({ text, fields, scope }) => ({ text, fields, scope }));
  return rows.flatMap(({ number, actor, reason, createdAt }, position) => {
    const before = states[position];
    const after = states[position + 1];
    return before === undefined || after === undefined ? [] : [{ number, before, after, actor, reason, createdAt }];
  });
}

/**
 * Returns the inputs from which a lesson and the lessons merged into it were learned. Complete if the run still exists, otherwise the
 * stored beginning (`isWhole` false).
 */
export async function lessonSources(
  { prisma }: DatabaseClient,
  lessonId: string,
): Promise<{ input: string; isWhole: boolean }[]> {
  const lessons = await prisma.lesson.findMany({
    where: { OR: [{ id: lessonId }, { mergedIntoId: lessonId }] },
    select: { runId: true, sourceInput: true },
  });
  const runIds = lessons.flatMap(({ runId }) => runId ?? []);
  const runs = await prisma.run.findMany({ where: { id: { in: runIds } }, select: { id: true, input: true } });
  return lessons
    .map(({ runId, sourceInput }) => {
      const run = runs.find(({ id }) => id === runId);
      return { input: run?.input ?? sourceInput, isWhole: run !== undefined };
    })
    .filter(({ input }) => input !== '');
}

/** Maximum number of trials shown with a lesson. */
const MAX_TRIALS = 50;

// Cases are compared by their whole input. Runs of both sides are in case order. A failed or stopped run has no best score.
const TRIAL_COLUMNS = `t.id, t.lesson_id AS "lessonId", t.experiment_id AS "experimentId", e.name AS "experimentName", t.batch_without_id AS "batchWithoutId",
  t.batch_with_id AS "batchWithId", t.requested_by AS "requestedBy", t.created_at AS "createdAt",
  (SELECT json_agg(json_build_object('id', r.id, 'hasLesson', r.batch_id = t.batch_with_id, 'key', md5(r.input), 'case', left(r.input, 200),
      'isEnded', r.finished_at IS NOT NULL, 'firstScore', r.first_score, 'bestScore', CASE WHEN r.status = 'finished' THEN r.best_score END) ORDER BY r.position, r.batch_id)
    FROM runs r WHERE r.batch_id IN (t.batch_without_id, t.batch_with_id)) AS runs`;

type TrialRow = Omit<TrialReport, 'createdAt' | keyof ReturnType<typeof reportTrial>> & {
  lessonId: string;
  createdAt: Date;
  runs: Parameters<typeof reportTrial>[0] | null;
};

/** Reads trials `t`. Trials of deleted experiments are missing. */
async function readTrials({ prisma }: DatabaseClient, trials: string, values: unknown[]) {
  const rows = await prisma.$queryRawUnsafe<TrialRow[]>(`SELECT ${TRIAL_COLUMNS} FROM ${trials}`, ...values);
  return rows.map(({ lessonId, runs, createdAt, ...trial }) => ({
    lessonId,
    // A fixed seed per trial, so that its interval does not change between views.
    report: { ...trial, createdAt: createdAt.toISOString(), ...reportTrial(runs ?? [], `${lessonId} ${trial.id}`) },
  }));
}

/** Returns the trials of a lesson, newest first. */
export async function findTrials(database: DatabaseClient, lessonId: string): Promise<TrialReport[]> {
  const trials = await readTrials(
    database,
    `lesson_trials t JOIN experiments e ON e.id = t.experiment_id
     WHERE t.lesson_id = $1::uuid ORDER BY t.created_at DESC, t.id LIMIT ${MAX_TRIALS}`,
    [lessonId],
  );
  return trials.map(({ report }) => report);
}

/**
 * Returns the lift of each of these lessons by its newest trial whose runs have all ended, by lesson id. Lessons without such a trial are
 * missing.
 */
export async function findLifts(
  database: DatabaseClient,
  lessonIds: readonly string[],
): Promise<Map<string, PairedLift>> {
  if (lessonIds.length === 0) return new Map();
  const trials = await readTrials(
    database,
    `(SELECT DISTINCT ON (lesson_id) * FROM lesson_trials n
        WHERE lesson_id = ANY ($1::uuid[]) AND EXISTS (SELECT 1 FROM batches b WHERE b.id = n.batch_with_id)
          AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.batch_id IN (n.batch_without_id, n.batch_with_id) AND u.finished_at IS NULL)
        ORDER BY lesson_id, created_at DESC) t JOIN experiments e ON e.id = t.experiment_id`,
    [lessonIds],
  );
  return new Map(trials.map(({ lessonId, report }) => [lessonId, report.result]));
}
