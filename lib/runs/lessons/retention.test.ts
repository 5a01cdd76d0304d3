import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#lib/db/test-database.ts';
import type { LessonKind } from '#lib/reflection/lesson-kinds.ts';
import { PRACTICE_WRITING, queuedRun, testWorkshop } from '../test-workshop.ts';
import { admitLessons } from './admit-lessons.ts';
import { emptyLibrary, lessonOf, storeLesson } from './stored-lesson.test-support.ts';

const db = useTestDatabase();
const workshop = () => testWorkshop(db.database());
const never = new AbortController().signal;
const TOPICS = [
  'Begin with the result',
  'Quote what the reader wrote',
  'Draw the state machine',
  'Count each step aloud',
  'Name both units',
  'Test the empty list',
];

beforeEach(() => emptyLibrary(db.database()));

/** Reflections of a run whose experiment keeps `keep`, oldest first. */
async function reflections(keep: number | null, kind: LessonKind = 'success', agent = 'default') {
  const runId = await queuedRun(
    workshop(),
    { ...PRACTICE_WRITING, lessons: { retentionPerAgent: keep } },
    { input: 'x' },
  );
  const ids: string[] = [];
  for (const [day, topic] of TOPICS.entries()) {
    const fields = { strategy: topic, whyItWorked: 'It was new.' };
    ids.push(
      await storeLesson(db.database(), {
        ...{ kind, agent, runId, fields },
        text: `Strategy: ${topic}\nWhy it worked: It was new.`,
        createdAt: new Date(Date.UTC(2026, 0, 1 + day)),
      }),
    );
  }
  return ids;
}

async function statuses(ids: string[]) {
  return Promise.all(ids.map(async (id) => (await lessonOf(db.database(), id)).status));
}

test('the oldest reflections of an agent are put away, and their page says why', async () => {
  const ids = await reflections(2);
  await admitLessons(workshop(), never);
  expect(await statuses(ids)).toEqual([...Array(4).fill('archived'), 'quarantined', 'quarantined']);
  const oldest = await lessonOf(db.database(), ids[0] ?? '');
  expect(oldest.checks.at(-1)).toMatchObject({ number: 4, kind: 'retention', outcome: 'archived', keep: 2 });
});

test.each([
  ['all are kept', null, 'success' as const],
  ['there are no more than are kept', 6, 'success' as const],
  ['they are of a kind that has no form', 2, 'lesson' as const],
])('none is put away where %s', async (_name, keep, kind) => {
  const ids = await reflections(keep, kind);
  await admitLessons(workshop(), never);
  expect(await statuses(ids)).toEqual(Array(6).fill('quarantined'));
});

test('what a person promoted stays, and takes no place from others', async () => {
  const ids = await reflections(2);
  await db
    .database()
    .pool.query("UPDATE lessons SET status = 'promoted', admission = 'admitted' WHERE id = ANY ($1::uuid[])", [
      ids.slice(0, 2),
    ]);
  await admitLessons(workshop(), never);
  expect(await statuses(ids)).toEqual(['promoted', 'promoted', 'archived', 'archived', 'quarantined', 'quarantined']);
});

test('one agent’s reflections put away none of another’s, and those of people stay', async () => {
  const others = await reflections(null, 'success', 'other');
  const own = await storeLesson(db.database(), {
    ...{ kind: 'success', agent: 'default', status: 'quarantined', admission: 'admitted', createdAt: new Date(0) },
    text: 'Strategy: sleep on it\nWhy it worked: a fresh look',
  });
  await reflections(1);
  await admitLessons(workshop(), never);
  expect(await statuses([...others, own])).toEqual(Array(7).fill('quarantined'));
});
