import { rmSync } from 'node:fs';
import { z } from 'zod';
import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { launchApp, makeTemporaryFolder } from '../start-app.ts';
import { startBenchChild } from './bench-child.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { CALLS_PER_RUN } from './loop-task.ts';
import { type Measure, median } from './measure.ts';
import { processCpuMs } from './postgres-use.ts';
import { prepareBatches, waitForEnd } from './worker-batches.ts';

const SIZES = [200, 2_000, 10_000] as const;
const PROCESSES = [1, 2, 3] as const;
const RUNS_BY_PROCESSES = 2_000;
const WARM_UP_RUNS = 100;
const SLOTS = 12;
/** Maximum cost ratio between batch sizes and between process counts. */
const MOST_SPREAD = 1.1;

/** Per batch: time per run, and CPU time of all workers and of the database per run, in milliseconds. */
type Figures = { runs: number; processes: number; elapsedMs: number; cpuMs: number; databaseCpuMs: number };

/** Measures the cost of a run in small and large batches and with several worker processes. */
export async function batchesBench(repeats: number, log: (line: string) => void): Promise<Measure[]> {
  const dataFolder = makeTemporaryFolder();
  const { connectionString, processId, stop } = await startBenchPostgres(dataFolder);
  const canned = await startBenchChild('canned-server.ts', null);
  const found: Figures[] = [];
  try {
    const { port } = z.object({ port: z.int() }).parse(canned.answer);
    const setup = { connectionString, databaseProcess: processId, baseUrl: `http://127.0.0.1:${port}/0/v1` };
    for (let round = 1; round <= repeats; round++)
      for (const processes of PROCESSES) {
        const sizes = processes === 1 ? SIZES : [RUNS_BY_PROCESSES];
        for (const figures of await measureBatches(setup, processes, sizes)) {
          found.push(figures);
          log(
            `round ${round} of ${repeats}, ${figures.runs} runs, worker processes: ${processes}: ${figures.elapsedMs.toFixed(1)} ms a run, CPU ${figures.cpuMs.toFixed(1)} ms and ${figures.databaseCpuMs.toFixed(1)} ms of the database`,
          );
        }
      }
    return measuresOf(found);
  } finally {
    await canned.end();
    await stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

type Setup = { connectionString: string; databaseProcess: number; baseUrl: string };

/** Runs batches sequentially on `processes` new worker processes. */
async function measureBatches(setup: Setup, processes: number, sizes: readonly number[]): Promise<Figures[]> {
  const { connectionString, databaseProcess, baseUrl } = setup;
  const env = {
    DATABASE_URL: connectionString,
    HONE_SECRET: 'a secret for the bench',
    HONE_WORKER_SLOTS: String(SLOTS),
  };
  const workers = await Promise.all(Array.from({ length: processes }, () => launchApp({ flags: ['--worker'], env })));
  const database = openDatabase(connectionString);
  try {
    for (const worker of workers) await worker.waitForOutput(/ready to perform /, 150_000);
    const runBatch = await prepareBatches(database, connectionString, baseUrl);
    await waitForEnd(database);
    await runBatch(WARM_UP_RUNS);
    const workersCpuMs = () => workers.reduce((sum, worker) => sum + processCpuMs(worker.processId), 0);
    const found: Figures[] = [];
    for (const runs of sizes) {
      const before = { workers: workersCpuMs(), database: processCpuMs(databaseProcess) };
      await runBatch(runs);
      found.push({
        runs,
        processes,
        elapsedMs: (await elapsedOf(database, runs)) / runs,
        cpuMs: (workersCpuMs() - before.workers) / runs,
        databaseCpuMs: (processCpuMs(databaseProcess) - before.database) / runs,
      });
    }
    return found;
  } finally {
    await closeDatabase(database);
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** Returns the time from the first start to the last end of the newest runs. */
async function elapsedOf({ pool }: Database, runs: number): Promise<number> {
  const { rows } = await pool.query<{ elapsedMs: number }>(
    `SELECT (extract(epoch FROM max(finished_at) - min(started_at)) * 1000)::float8 AS "elapsedMs"
     FROM (SELECT started_at, finished_at FROM runs ORDER BY number DESC LIMIT $1) r`,
    [runs],
  );
  return rows[0]?.elapsedMs ?? Number.NaN;
}

function measuresOf(found: readonly Figures[]): Measure[] {
  const spread = (name: string, groups: Figures[][], figure: (figures: Figures) => number): Measure => {
    const medians = groups.map((group) => median(group.map(figure)));
    const [value, floor] = [Math.max(...medians), Math.min(...medians)];
    const wanted = { of: 'ratio', atMost: MOST_SPREAD } as const;
    return { part: 'batches', name, unit: 'ms', value, floor, ratio: value / floor, wanted, samples: medians };
  };
  const bySize = SIZES.map((size) => found.filter(({ runs, processes }) => runs === size && processes === 1));
  const byProcesses = PROCESSES.map((count) =>
    found.filter(({ runs, processes }) => runs === RUNS_BY_PROCESSES && processes === count),
  );
  const sizes = `batches of ${SIZES.join(', ')} runs of ${CALLS_PER_RUN} calls`;
  return [
    spread(`${sizes}: time per run, most against least`, bySize, ({ elapsedMs }) => elapsedMs),
    spread(`${sizes}: database CPU per run, most against least`, bySize, ({ databaseCpuMs }) => databaseCpuMs),
    spread(
      `${PROCESSES.join(', ')} worker processes: CPU per run, most against least`,
      byProcesses,
      ({ cpuMs, databaseCpuMs }) => cpuMs + databaseCpuMs,
    ),
  ];
}
