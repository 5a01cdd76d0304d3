import { beforeEach, describe, expect, test } from 'vitest';
import { archiveYears } from '#lib/audit/queries.ts';
import type { LessonKind } from '#lib/core/lesson-schema.ts';
import { PRACTICE_WRITING, queuedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { readTar } from '../formats/tar.ts';
import { admitLessons } from './admit-lessons.ts';
import { exportLessons } from './export-lessons.ts';
import { listLessons } from './queries.ts';
import { reviewLesson } from './review-lesson.ts';
import { deleteAllLessons, lessonOf, storeLesson } from './test-texts/stored-lesson.test-support.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const never = new AbortController().signal;
const TOPICS = [
  'Begin with the result',
  'Quote what the reader wrote',
  'Draw the state machine',
  'Count each step aloud',
  'Name both units',
  'Test the empty list',
];

beforeEach(() => deleteAllLessons(db.database()));

/** Creates a run whose experiment keeps `keep` lessons per agent. */
async function endedRun(keep: number | null, status = 'finished'): Promise<string> {
  const settings = { ...PRACTICE_WRITING, lessons: { retentionPerAgent: keep } };
  const runId = await queuedRun(context(), settings, { input: 'x' });
  await db.database().pool.query('UPDATE runs SET status = $2 WHERE id = $1', [runId, status]);
  return runId;
}

/** Stores reflections of a run whose experiment keeps `keep`, oldest first. */
async function reflections(
  keep: number | null,
  kind: LessonKind = 'success',
  agent = 'default',
  runStatus = 'finished',
) {
  const runId = await endedRun(keep, runStatus);
  const ids: string[] = [];
  for (const [day, topic] of TOPICS.entries()) {
    const fields: Record<string, string> = kind === 'success' ? { strategy: topic, whyItWorked: 'It was new.' } : {};
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

test.each(['success', 'lesson', 'skill_card', 'principle', 'user_preference'] as const)(
  'archives the oldest lessons of the kind %s',
  async (kind) => {
    const ids = await reflections(2, kind);
    await admitLessons(context(), never);
    expect(await statuses(ids)).toEqual([...Array(4).fill('archived'), 'quarantined', 'quarantined']);
  },
);

test('keeps the newest lessons across all kinds', async () => {
  const runId = await endedRun(2);
  const ids: string[] = [];
  for (const [day, kind] of (['lesson', 'success', 'principle', 'lesson'] as const).entries())
    ids.push(
      await storeLesson(db.database(), {
        ...{ kind, runId, text: TOPICS[day] ?? '', createdAt: new Date(Date.UTC(2026, 0, 1 + day)) },
      }),
    );
  await admitLessons(context(), never);
  expect(await statuses(ids)).toEqual(['archived', 'archived', 'quarantined', 'quarantined']);
});

test('does not archive lessons of a run until the run has ended', async () => {
  const ids = await reflections(2, 'lesson', 'default', 'running');
  await admitLessons(context(), never);
  expect(await statuses(ids)).toEqual(Array(6).fill('quarantined'));
  await db.database().pool.query("UPDATE runs SET status = 'finished'");
  await admitLessons(context(), never);
  expect(await statuses(ids)).toEqual([...Array(4).fill('archived'), 'quarantined', 'quarantined']);
});

test('keeps a restored lesson', async () => {
  const [oldest = '', ...ids] = await reflections(2);
  await admitLessons(context(), never);
  unwrap(await reviewLesson(context(), TESTER, oldest, { verdict: 'restore' }));
  await storeLesson(db.database(), {
    ...{ kind: 'success', runId: await endedRun(2), text: 'Strategy: look twice\nWhy it worked: it was wrong' },
    fields: { strategy: 'look twice', whyItWorked: 'it was wrong' },
  });
  await admitLessons(context(), never);
  expect(await statuses([oldest, ...ids])).toEqual(['quarantined', ...Array(4).fill('archived'), 'quarantined']);
});

describe('the yearly archive', () => {
  async function archived() {
    const texts = ['Count twice.', 'Name the unit.', 'Ask the reader.'];
    for (const [at, createdAt] of ['2024-06-01', '2025-01-01', '2025-12-31T23:59:59.999Z'].entries())
      await storeLesson(db.database(), {
        ...{ status: 'archived', admission: 'admitted', agent: at === 0 ? null : 'researcher' },
        ...{ text: texts[at] ?? '', createdAt: new Date(createdAt) },
      });
    await storeLesson(db.database(), {
      ...{ status: 'promoted', admission: 'admitted', text: 'Not archived.', createdAt: new Date('2025-05-05') },
    });
  }

  test('filters lessons and lists years by the year of creation', async () => {
    await archived();
    const filter = { query: '', kind: null, status: null, scope: null, only: null, order: 'newest' as const };
    const listed = async (year: number | null) =>
      (await listLessons(db.database(), { ...filter, year }, { cursor: null, limit: 10 })).items.map(
        ({ text, archiveYear }) => ({ text, archiveYear }),
      );
    expect(await archiveYears(db.database())).toEqual([2025, 2024]);
    expect(await listed(2025)).toEqual([
      { text: 'Ask the reader.', archiveYear: 2025 },
      { text: 'Name the unit.', archiveYear: 2025 },
    ]);
    expect(await listed(2023)).toEqual([]);
    expect((await listed(null)).find(({ text }) => text === 'Not archived.')).toMatchObject({ archiveYear: null });
  });

  test('exports one year, with one folder per agent', async () => {
    await archived();
    const part = { format: 'markdown' as const, kind: null, status: null };
    const paths = async (year: number | null) => {
      const { name, chunks } = exportLessons(context(), { ...part, year });
      const found: string[] = [];
      for await (const file of readTar(chunks)) found.push(unwrap(file).path);
      return { name, paths: found.sort() };
    };
    expect(await paths(2025)).toEqual({
      name: 'lessons-2025.tar',
      paths: [
        'memory/reflections/researcher/archive/2025/2025-01-01-name-unit.md',
        'memory/reflections/researcher/archive/2025/2025-12-31-ask-reader.md',
      ],
    });
    expect((await paths(null)).paths).toEqual([
      'memory/reflections/any/archive/2024/2024-06-01-count-twice.md',
      'memory/reflections/default/2025-05-05-not-archived.md',
      'memory/reflections/researcher/archive/2025/2025-01-01-name-unit.md',
      'memory/reflections/researcher/archive/2025/2025-12-31-ask-reader.md',
    ]);
  });
});

test('archives the oldest reflections of an agent and records the reason', async () => {
  const ids = await reflections(2);
  await admitLessons(context(), never);
  expect(await statuses(ids)).toEqual([...Array(4).fill('archived'), 'quarantined', 'quarantined']);
  const oldest = await lessonOf(db.database(), ids[0] ?? '');
  expect(oldest.checks.at(-1)).toMatchObject({ number: 4, kind: 'retention', outcome: 'archived', keep: 2 });
});

test.each([
  ['no limit is set', null, 'success' as const],
  ['the number is within the limit', 6, 'success' as const],
])('archives nothing if %s', async (_name, keep, kind) => {
  const ids = await reflections(keep, kind);
  await admitLessons(context(), never);
  expect(await statuses(ids)).toEqual(Array(6).fill('quarantined'));
});

test('keeps promoted lessons and does not count them toward the limit', async () => {
  const ids = await reflections(2);
  await db
    .database()
    .pool.query("UPDATE lessons SET status = 'promoted', admission = 'admitted' WHERE id = ANY ($1::uuid[])", [
      ids.slice(0, 2),
    ]);
  await admitLessons(context(), never);
  expect(await statuses(ids)).toEqual(['promoted', 'promoted', 'archived', 'archived', 'quarantined', 'quarantined']);
});

test('applies the limit per agent and keeps lessons written by people', async () => {
  const others = await reflections(null, 'success', 'other');
  const own = await storeLesson(db.database(), {
    ...{ kind: 'success', agent: 'default', status: 'quarantined', admission: 'admitted', createdAt: new Date(0) },
    text: 'Strategy: sleep on it\nWhy it worked: a fresh look',
  });
  await reflections(1);
  await admitLessons(context(), never);
  expect(await statuses([...others, own])).toEqual(Array(7).fill('quarantined'));
});
