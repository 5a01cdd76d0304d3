import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { recallLessons } from '#lib/lessons/recall-lessons.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { fillLessons, inputOf, LESSONS, sentence } from './fill-lessons.ts';
import { type Measure, median, percentile } from './measure.ts';

const LONGEST_P95_MS = 50;
const QUESTIONS = 200;
const WARM_UP = 20;
/** Number of words around the question in a long input. */
const LONG = 600;

/** Compares recall from 100,000 promoted lessons, by short and long inputs, with reading one row by key. */
export async function recallBench(repeats: number, log: (line: string) => void): Promise<Measure[]> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'hone-bench-'));
  // When run as root, the PostgreSQL user needs access to the folder.
  chmodSync(dataFolder, 0o711);
  const { connectionString, stop } = await startBenchPostgres(dataFolder);
  try {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await fillLessons(client);
    await client.end();
    const database = openDatabase(connectionString, { isShared: false });
    const rounds: Round[] = [];
    for (let round = 1; round <= repeats; round++) {
      const made = await performRound(database, round);
      rounds.push(made);
      log(
        `round ${round} of ${repeats}: p95 short ${made.short.p95.toFixed(1)} ms, long ${made.long.p95.toFixed(1)} ms, one row ${made.row.p95.toFixed(2)} ms`,
      );
    }
    await closeDatabase(database);
    return measuresOf(rounds);
  } finally {
    await stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

type Timing = { p50: number; p95: number };
type Round = { row: Timing; short: Timing; long: Timing };

async function performRound(database: Database, round: number): Promise<Round> {
  // Uses different lessons in each round, spread over the library.
  const lessons = Array.from({ length: QUESTIONS + WARM_UP }, (_, at) => (at * 449 + round * 7_919) % LESSONS);
  return {
    row: await time(lessons, async (lesson) => {
      await database.pool.query({
        name: 'bench-row',
        text: `SELECT id, kind, text FROM lessons WHERE id = md5('lesson ' || $1::int)::uuid`,
        values: [lesson],
      });
    }),
    short: await timeRecall(database, lessons, inputOf),
    long: await timeRecall(
      database,
      lessons,
      (lesson) => `${inputOf(lesson)}\n${sentence(lesson * 3 + 1_000_003, LONG)}`,
    ),
  };
}

/** Times recall. Throws unless at least 90% of the lessons are found, because an empty result is fast and not representative. */
async function timeRecall(
  database: Database,
  lessons: number[],
  inputFor: (lesson: number) => string,
): Promise<Timing> {
  let found = 0;
  const texts = new Map(lessons.map((lesson) => [lesson, sentence(lesson * 2, 24)]));
  const timing = await time(lessons, async (lesson) => {
    const recalled = await recallLessons(database, { ...QUESTION, input: inputFor(lesson) }, null);
    if (recalled?.lessons.some(({ text }) => text === texts.get(lesson))) found++;
  });
  if (found < lessons.length * 0.9) throw new Error(`only ${found} of ${lessons.length} lessons were found again`);
  return timing;
}

const QUESTION = {
  store: 'recall' as const,
  block: '',
  topK: 5,
  tokenBudget: 1_500,
  pinned: [],
  agent: 'default',
  taskType: 'custom',
  tools: [],
  without: [],
};

async function time(lessons: number[], work: (lesson: number) => Promise<void>): Promise<Timing> {
  const times: number[] = [];
  for (const [position, lesson] of lessons.entries()) {
    const startedMs = performance.now();
    await work(lesson);
    if (position >= WARM_UP) times.push(performance.now() - startedMs);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

function measuresOf(rounds: Round[]): Measure[] {
  return (['short', 'long'] as const).flatMap((length) =>
    (['p50', 'p95'] as const).map((figure): Measure => {
      const values = rounds.map((round) => round[length][figure]);
      const floors = rounds.map(({ row }) => row[figure]);
      return {
        part: 'recall',
        name: `from ${LESSONS.toLocaleString('en-US')} lessons by a ${length} input, ${figure}`,
        unit: 'ms',
        value: median(values),
        floor: median(floors),
        ratio: median(values.map((value, round) => value / (floors[round] ?? Number.NaN))),
        wanted: figure === 'p95' ? { of: 'value', atMost: LONGEST_P95_MS } : null,
        samples: values,
      };
    }),
  );
}
