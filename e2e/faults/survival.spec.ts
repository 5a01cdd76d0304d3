import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from '@playwright/test';
import { freePort } from '../free-port.ts';
import { makeTemporaryFolder, type StartedApp, startApp } from '../start-app.ts';
import { expectWholeBatch, learningTasks, startLearningBatch } from './learning-batch.ts';
import { startLearningProvider } from './learning-provider.ts';

const SLOTS = 4;
const LATENCY_MS = 250;

test('a batch survives SIGKILL three times: same curve, every version once, only calls in flight repeated', async () => {
  test.setTimeout(300_000);
  const kills = 3;
  const tasks = learningTasks(20);
  const provider = await startLearningProvider(tasks, () => LATENCY_MS);
  const parentFolder = makeTemporaryFolder();
  const port = await freePort();
  const start = () => startApp({ parentFolder, port, env: { HONE_WORKER_SLOTS: String(SLOTS) } });
  let app = await start();
  try {
    const batchId = await startLearningBatch(app, provider, tasks);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(1_200 + Math.random() * 1_500);
      app.kill('SIGKILL');
      await app.ended;
      app = await start();
    }
    await expectWholeBatch(app, batchId, provider, tasks, kills * SLOTS);
  } finally {
    await app.stop();
    await provider.stop();
    rmSync(parentFolder, { recursive: true, force: true });
  }
});

test('a batch goes on when PostgreSQL is killed under it, and no call is made twice', async () => {
  test.setTimeout(180_000);
  const tasks = learningTasks(10);
  const provider = await startLearningProvider(tasks, () => LATENCY_MS);
  const app = await startApp({ env: { HONE_WORKER_SLOTS: String(SLOTS) } });
  try {
    const batchId = await startLearningBatch(app, provider, tasks);
    await sleep(1_000);
    process.kill(postmasterOf(app), 'SIGKILL');
    await expectWholeBatch(app, batchId, provider, tasks, 0);
  } finally {
    await app.stop();
    await provider.stop();
  }
});

function postmasterOf(app: StartedApp): number {
  const file = path.join(app.dataFolder, 'postgres/cluster/postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}
