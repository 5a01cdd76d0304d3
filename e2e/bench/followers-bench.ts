import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { readEventLines } from '#lib/runs/event-lines.ts';
import { openApi } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import { startApp } from '../start-app.ts';
import { startBenchChild } from './bench-child.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { type FollowedRun, followLive } from './follow-live.ts';
import { type Measure, median, percentile } from './measure.ts';

const PEOPLE = 200;
const RUNS = 20;
/** Concurrent runs. */
const SLOTS = 8;
const CALLS_PER_RUN = 20;
const CALL_MS = 200;
const LONGEST_P95_MS = 1_000;

/**
 * Measures the delay from event creation, before storage, to arrival at 200 clients that follow live runs, half of them the same run. Uses
 * an external database, so all events go through notifications.
 */
export async function followersBench(repeats: number, log: (line: string) => void): Promise<Measure[]> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'hone-followers-'));
  // When run as root, the PostgreSQL user needs access to the folder.
  chmodSync(dataFolder, 0o711);
  const { connectionString, stop } = await startBenchPostgres(dataFolder);
  const canned = await startBenchChild('canned-server.ts', null);
  const env = { DATABASE_URL: connectionString, HONE_WORKER_SLOTS: String(SLOTS) };
  const app = await startApp({ env });
  const database = new pg.Client({ connectionString });
  try {
    await database.connect();
    const { port } = z.object({ port: z.int() }).parse(canned.answer);
    const experimentId = await makeExperiment(app.address, `http://127.0.0.1:${port}/${CALL_MS}/v1`);
    const p95s: number[] = [];
    const p50s: number[] = [];
    for (let round = 1; round <= repeats; round++) {
      const delays = await measureRound(app.address, experimentId, database);
      p50s.push(percentile(delays, 0.5));
      p95s.push(percentile(delays, 0.95));
      log(
        `round ${round} of ${repeats}: ${delays.length} events heard, p95 ${p95s.at(-1)?.toFixed(0)} ms, longest ${Math.max(...delays).toFixed(0)} ms`,
      );
    }
    const measure = (name: string, samples: number[], wanted: Measure['wanted']): Measure => {
      return { part: 'followers', name, unit: 'ms', value: median(samples), floor: null, ratio: null, wanted, samples };
    };
    return [
      measure(`event to ${PEOPLE} people, p50`, p50s, null),
      measure(`event to ${PEOPLE} people, p95`, p95s, { of: 'value', atMost: LONGEST_P95_MS }),
    ];
  } finally {
    await database.end();
    await app.stop();
    await canned.end();
    await stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function makeExperiment(address: string, baseUrl: string): Promise<string> {
  const api = openApi(address);
  await createProvider(api, { name: 'canned', baseUrl });
  return api.createExperiment({
    name: 'Followed',
    mode: 'retry',
    generator: { provider: 'canned', model: 'canned-1' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
    qualityThreshold: 1,
    maxAttempts: CALLS_PER_RUN,
    convergence: null,
    lessons: { write: 'off' },
  });
}

/** Returns the delay in milliseconds of each event to each client connected when it was created. */
async function measureRound(address: string, experimentId: string, database: pg.Client): Promise<number[]> {
  const api = openApi(address);
  const cases = Array.from({ length: RUNS }, (_, at) => ({ input: `Case ${at}`, reference: 'never this' }));
  const { runIds } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { cases });
  const [first = ''] = runIds;
  const followed = await Promise.all(
    Array.from({ length: PEOPLE }, (_, person) =>
      followLive(address, person % 2 === 0 ? first : (runIds[(person >> 1) % runIds.length] ?? first)),
    ),
  );
  const madeAt = await timesOf(database, runIds);
  for (const follower of followed) checkComplete(follower, madeAt.get(follower.runId)?.size ?? 0);
  return followed.flatMap(({ runId, openedAt, events }) =>
    events.flatMap(({ number, at }) => {
      const made = madeAt.get(runId)?.get(number) ?? 0;
      return made < openedAt ? [] : [at - made];
    }),
  );
}

async function timesOf(database: pg.Client, runIds: string[]): Promise<Map<string, Map<number, number>>> {
  const { rows } = await database.query<{ run_id: string; lines: string }>(
    `SELECT run_id, lines FROM run_event_pages WHERE run_id = ANY ($1::uuid[])
     UNION ALL SELECT id, event_lines FROM runs WHERE id = ANY ($1::uuid[])`,
    [runIds],
  );
  const times = new Map<string, Map<number, number>>();
  for (const { run_id, lines } of rows) {
    const ofRun = times.get(run_id) ?? new Map<number, number>();
    for (const { number, at } of readEventLines(lines)) ofRun.set(number, at.getTime());
    times.set(run_id, ofRun);
  }
  return times;
}

/** Delays do not count if a client missed events. */
function checkComplete({ runId, events }: FollowedRun, made: number): void {
  const isWhole = made > 0 && events.length === made && events.every(({ number }, at) => number === at + 1);
  if (!isWhole)
    throw new Error(
      `of the ${made} events of run ${runId} a follower heard ${events.map(({ number }) => number).join(' ')}`,
    );
}
