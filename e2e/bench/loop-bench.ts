import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { applyMigrations } from '#lib/database/apply-migrations.ts';
import { startEmbeddedPostgres } from '#lib/embedded-database/embedded-postgres.ts';
import { askBenchChild, startBenchChild } from './bench-child.ts';
import { CALLS_PER_RUN, CONCURRENCY, type LoopFigures, loopFiguresSchema, RUNS } from './loop-task.ts';
import { type Measure, median } from './measure.ts';

const LATENCY_MS = 200;
const IDEAL_MS = (RUNS * CALLS_PER_RUN * LATENCY_MS) / CONCURRENCY;
const CALLS = RUNS * CALLS_PER_RUN;

type Round = {
  slow: LoopFigures;
  bareSlow: LoopFigures;
  fast: LoopFigures;
  bareFast: LoopFigures;
  streamed: LoopFigures;
  bareStreamed: LoopFigures;
  commits: number;
};

/** Hone's loop against a bare one, both in processes of their own, on a database that keeps its promises. */
export async function loopBench(repeats: number, say: (line: string) => void): Promise<Measure[]> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'hone-bench-'));
  // As root the server's own user must get in.
  chmodSync(dataFolder, 0o711);
  const started = await startEmbeddedPostgres({
    dataFolder,
    say: () => undefined,
    signal: new AbortController().signal,
  });
  if (!started.ok) throw new Error(started.problem.message);
  const { connectionString, stop } = started.value;
  const server = await startBenchChild('canned-server.ts', null);
  try {
    const migrated = await applyMigrations(connectionString, path.resolve('prisma/migrations'));
    if (!migrated.ok) throw new Error(migrated.problem.message);
    const { port } = z.object({ port: z.int() }).parse(server.answer);
    const rounds: Round[] = [];
    for (let round = 1; round <= repeats; round++) {
      const made = await performRound(connectionString, `http://127.0.0.1:${port}`);
      rounds.push(made);
      say(
        `round ${round} of ${repeats}: ${(made.slow.elapsedMs / IDEAL_MS).toFixed(3)} × the ideal, ${(made.fast.elapsedMs / made.bareFast.elapsedMs).toFixed(2)} × bare, ${(made.streamed.elapsedMs / made.bareStreamed.elapsedMs).toFixed(2)} × bare when watched`,
      );
    }
    return measuresOf(rounds);
  } finally {
    await server.end();
    await stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** How often a round takes the short measurements of 0 ms in turn: the same process is up to a third faster at one start than at the next. */
const TURNS = 3;

async function performRound(connectionString: string, server: string): Promise<Round> {
  const ask = async (file: string, latencyMs: number, watched: boolean, runs = RUNS) => {
    const urls = { warmUpUrl: `${server}/0/v1`, measuredUrl: `${server}/${latencyMs}/v1` };
    return loopFiguresSchema.parse(await askBenchChild(file, { runs, watched, ...urls, connectionString }));
  };
  const inTurn = async (watched: boolean) => {
    const bare: LoopFigures[] = [];
    const hone: LoopFigures[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      bare.push(await ask('bare-loop.ts', 0, watched));
      hone.push(await ask('hone-loop.ts', 0, watched));
    }
    return { bare: meanOf(bare), hone: meanOf(hone) };
  };
  // The same process without the runs that are measured tells what its start, warm-up and end commit.
  const commits = [await countCommits(connectionString)];
  await ask('hone-loop.ts', 0, false, 0);
  commits.push(await countCommits(connectionString));
  await ask('hone-loop.ts', 0, false);
  commits.push(await countCommits(connectionString));
  const [before = 0, idle = 0, after = 0] = commits;
  const { bare: bareFast, hone: fast } = await inTurn(false);
  const { bare: bareStreamed, hone: streamed } = await inTurn(true);
  return {
    bareFast,
    fast,
    commits: after - idle - (idle - before),
    bareStreamed,
    streamed,
    bareSlow: await ask('bare-loop.ts', LATENCY_MS, false),
    slow: await ask('hone-loop.ts', LATENCY_MS, false),
  };
}

function meanOf(figures: LoopFigures[]): LoopFigures {
  const mean = (value: (figure: LoopFigures) => number) =>
    figures.reduce((sum, figure) => sum + value(figure), 0) / figures.length;
  return {
    elapsedMs: mean(({ elapsedMs }) => elapsedMs),
    cpuMs: mean(({ cpuMs }) => cpuMs),
    writes: mean(({ writes }) => writes ?? 0),
  };
}

/** All transactions of the database that ended well, those that only read among them. */
async function countCommits(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    'SELECT xact_commit::text AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  await client.end();
  return Number(rows[0]?.count);
}

function measuresOf(rounds: Round[]): Measure[] {
  const measure = (
    name: string,
    unit: Measure['unit'],
    figure: (round: Round) => number,
    floor: ((round: Round) => number) | null,
    atMost: number | null,
  ): Measure => {
    const values = rounds.map(figure);
    const ratios = floor === null ? null : rounds.map((round) => figure(round) / floor(round));
    return {
      part: 'loop',
      name,
      unit,
      value: median(values),
      floor: floor === null ? null : median(rounds.map(floor)),
      ratio: ratios === null ? null : median(ratios),
      wanted: atMost === null ? null : { of: ratios === null ? 'value' : 'ratio', atMost },
      samples: ratios ?? values,
    };
  };
  return [
    measure(
      `${RUNS} runs × ${CALLS_PER_RUN} calls of ${LATENCY_MS} ms, ${CONCURRENCY} at a time, against the ideal`,
      'ms',
      (round) => round.slow.elapsedMs,
      () => IDEAL_MS,
      1.06,
    ),
    measure(
      'the same against the bare loop',
      'ms',
      (round) => round.slow.elapsedMs,
      (round) => round.bareSlow.elapsedMs,
      null,
    ),
    measure(
      'a call of 0 ms',
      'ms',
      (round) => round.fast.elapsedMs / CALLS,
      (round) => round.bareFast.elapsedMs / CALLS,
      2.2,
    ),
    measure(
      'a call of 0 ms, watched, against a streaming loop',
      'ms',
      (round) => round.streamed.elapsedMs / CALLS,
      (round) => round.bareStreamed.elapsedMs / CALLS,
      2.2,
    ),
    measure(
      'processor time of a call',
      'ms',
      (round) => round.fast.cpuMs / CALLS,
      (round) => round.bareFast.cpuMs / CALLS,
      1.5,
    ),
    measure(
      'processor time of a call, watched',
      'ms',
      (round) => round.streamed.cpuMs / CALLS,
      (round) => round.bareStreamed.cpuMs / CALLS,
      1.5,
    ),
    measure('writing commits a run', 'commits', (round) => (round.fast.writes ?? 0) / RUNS, null, CALLS_PER_RUN + 2.5),
    measure('writing commits a call', 'commits', (round) => (round.fast.writes ?? 0) / CALLS, null, null),
    measure('all transactions a run, reads too', 'commits', (round) => round.commits / RUNS, null, null),
  ];
}
