import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { freePort } from '../free-port.ts';
import { makeTemporaryFolder, type StartedApp, startApp } from '../start-app.ts';
import { expectedAttempts, expectedCurve, type LearningTask, startLearningProvider } from './learning-provider.ts';

const KILLS = 3;
const SLOTS = 4;
const MAX_ATTEMPTS = 5;
const TASKS: LearningTask[] = Array.from({ length: 20 }, (_, number) => ({
  question: `What is in box number ${number} of the survival test?`,
  answer: `thing ${number}`,
  solvedAt: [1, 2, 1, 3, 4, 1, null, 2, 5, 1][number % 10] ?? null,
}));

type Batch = { status: string; counts: Record<string, number>; report: { solvedByIteration: number[] } };
type Run = { id: string; status: string; versions: { number: number }[]; lessons: { version: number }[] };

test('a batch survives SIGKILL three times: same curve, every version once, only calls in flight repeated', async () => {
  test.setTimeout(240_000);
  const provider = await startLearningProvider(TASKS, () => 250);
  const parentFolder = makeTemporaryFolder();
  const port = await freePort();
  const start = () => startApp({ parentFolder, port, env: { HONE_WORKER_SLOTS: String(SLOTS) } });
  let app = await start();
  try {
    const batchId = await startBatch(app, provider.baseUrl);
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(1_200 + Math.random() * 1_500);
      app.kill('SIGKILL');
      await app.ended;
      app = await start();
    }
    const read = () => get<Batch>(app, `/batches/${batchId}`);
    await expect.poll(async () => (await read()).status, { timeout: 90_000 }).toBe('finished');

    const { counts, report } = await read();
    expect(counts.finished).toBe(TASKS.length);
    expect(report.solvedByIteration).toEqual(expectedCurve(TASKS, MAX_ATTEMPTS));
    const { items } = await get<{ items: Run[] }>(app, `/runs?batchId=${batchId}&limit=100`);
    for (const { id } of items) {
      const run = await get<Run>(app, `/runs/${id}`);
      expect(run.versions.map((version) => version.number)).toEqual(run.versions.map((_, position) => position));
      expect(run.lessons.map((lesson) => lesson.version)).toEqual(run.lessons.map((_, position) => position));
    }
    const attempts = expectedAttempts(TASKS, MAX_ATTEMPTS);
    expect(provider.actorCalls()).toBeGreaterThanOrEqual(attempts);
    expect(provider.calls.length).toBeLessThanOrEqual(attempts + lessonsOf(TASKS) + KILLS * SLOTS);
  } finally {
    await app.stop();
    await provider.stop();
    rmSync(parentFolder, { recursive: true, force: true });
  }
});

/** A lesson for every failed attempt that another follows. */
function lessonsOf(tasks: LearningTask[]): number {
  return expectedAttempts(tasks, MAX_ATTEMPTS) - tasks.length;
}

async function startBatch(app: StartedApp, baseUrl: string): Promise<string> {
  await post(app, '/providers', { name: 'learning', kind: 'openai-compatible', baseUrl });
  const experiment = await post<{ id: string }>(app, '/experiments', {
    name: 'Survival',
    mode: 'retry',
    generator: { provider: 'learning', model: 'actor' },
    reflectionModel: { provider: 'learning', model: 'reflector' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
    qualityThreshold: 1,
    maxAttempts: MAX_ATTEMPTS,
    convergence: null,
  });
  const cases = TASKS.map((task) => ({ input: task.question, reference: task.answer }));
  return (await post<{ batchId: string }>(app, `/experiments/${experiment.id}/runs`, { cases })).batchId;
}

async function get<Body>(app: StartedApp, path: string): Promise<Body> {
  return answer(await fetch(`${app.address}/api/v1${path}`));
}

async function post<Body>(app: StartedApp, path: string, body: unknown): Promise<Body> {
  return answer(
    await fetch(`${app.address}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}

async function answer<Body>(response: Response): Promise<Body> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}
