import {
  FOR_ALL_AGENTS,
  LESSON_ADMISSIONS,
  type LessonFilter,
  type LessonListItem,
  type LessonScopePart,
} from '#lib/core/lesson-library.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf, prefixQuery, readTimeCursor, timeCursor, yearBounds } from '#lib/database/query-values.ts';
import { REFUTING_HARMS } from './lesson-review.ts';
import { LESSON_COLUMNS, lessonListRow } from './load-lesson.ts';

/**
 * One page of the lessons that a filter lets through, newest or most helpful first. `page.cursor` is the `nextCursor` of the page before
 * in the same order; what is no such cursor gives the first page. Each page is read along an index, however many lessons there are.
 */
export async function listLessons(
  { pool }: Pick<Database, 'pool'>,
  filter: LessonFilter,
  page: { cursor: string | null; limit: number },
): Promise<Page<LessonListItem>> {
  const read = async (way: WayToLabel) => {
    const { text, values } = listStatement(filter, page, way);
    return (await pool.query<Record<string, unknown>>(text, values)).rows;
  };
  // Common words are met at once on the way through the lessons; looked up by their index, all lessons with them would have to be sorted.
  const met =
    filter.query.trim() === '' || (filter.only !== null && filter.only !== 'refuted') ? [] : await read('walk');
  const rows = met.length > page.limit ? met : await read('index');
  return pageOf(
    rows.map((row) => lessonListRow.parse(row)),
    page.limit,
    (item) => (filter.order === 'newest' ? timeCursor(item) : `${item.helpful}_${timeCursor(item)}`),
  );
}

/** Lessons that are looked through for words before the words are looked up by their index. */
const WALKED = 2_000;
type WayToLabel = 'walk' | 'index';

/** The statement that reads a page, one row more than asked for; by `walk` it may miss lessons unless it gives that many. */
export function listStatement(
  filter: LessonFilter,
  page: { cursor: string | null; limit: number },
  way: WayToLabel = 'index',
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions: string[] = [];
  // Words are looked up by their own index whatever the planner guesses of them: `OFFSET 0` keeps it from walking all lessons in order.
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
  conditions.push(...after(filter, page.cursor, value));
  const limit = value(page.limit + 1);
  const order = ORDER[filter.order];
  const places = filter.only === null ? [null] : PLACES[filter.only];
  const parts = places.map((place) => {
    const where = [...(place === null ? [] : [place]), ...conditions];
    const most = words !== null && way === 'walk' ? WALKED : limit;
    return `(SELECT l.* FROM ${lessons}${where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`} ORDER BY ${order} LIMIT ${most})`;
  });
  return {
    text: `SELECT ${LESSON_COLUMNS} FROM (${parts.join(' UNION ALL ')}) l${words !== null && way === 'walk' ? ` WHERE ${words}` : ''} ORDER BY ${order} LIMIT ${limit}`,
    values,
  };
}

/** Where the lessons of a selection are; each place is read along its own index. */
const HELD = "l.admission = 'held' AND l.status = 'candidate'";
const REVIEW = ["l.status = 'quarantined'", HELD];
const PLACES: Record<NonNullable<LessonFilter['only']>, string[]> = {
  review: REVIEW,
  held: ["l.admission = 'held' AND l.status = 'quarantined'", HELD],
  clear: LESSON_ADMISSIONS.filter((admission) => admission !== 'held').map(
    (admission) => `l.admission = '${admission}' AND l.status = 'quarantined'`,
  ),
  assigned: REVIEW,
  refuted: [`l.status = 'promoted' AND l.harmful >= ${REFUTING_HARMS} AND l.harmful > l.helpful`],
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

function after(filter: LessonFilter, cursor: string | null, value: (given: unknown) => string): string[] {
  const [, count, rest] = cursor?.match(/^(?:(\d{1,9})_)?(\d{1,15}_[0-9a-f-]{36})$/) ?? [];
  const place = readTimeCursor(rest ?? null);
  if (place === null || (filter.order === 'newest') !== (count === undefined)) return [];
  const at = value(place.at);
  const id = value(place.id);
  const later = `(l.created_at < ${at} OR (l.created_at = ${at} AND l.id > ${id}::uuid))`;
  if (count === undefined) return [`l.created_at <= ${at}`, later];
  const helpful = value(Number(count));
  return [`l.helpful <= ${helpful}`, `(l.helpful < ${helpful} OR ${later})`];
}
