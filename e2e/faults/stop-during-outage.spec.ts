import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { makePreparedFolder, startApp } from '../start-app.ts';
import { expectWholeBatch, learningTasks, startLearningBatch } from './learning-batch.ts';
import { startLearningProvider } from './learning-provider.ts';

test('a stop during an outage of the built-in PostgreSQL saves the results, and no call is repeated', async () => {
  test.setTimeout(240_000);
  const tasks = learningTasks(10);
  const provider = await startLearningProvider(tasks, () => 250);
  const parentFolder = makePreparedFolder();
  let app = await startApp({ parentFolder });
  try {
    const batchId = await startLearningBatch(app, provider, tasks);
    await sleep(1_000);
    const cluster = path.join(app.dataFolder, 'postgres/cluster');
    const control = path.join(cluster, 'global/pg_control');
    const postmaster = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // PostgreSQL cannot start again until the file is back.
    renameSync(control, `${control}.away`);
    process.kill(postmaster, 'SIGKILL');
    await app.waitForOutput(/the database is unreachable/);
    // Calls in flight end, and their runs hold the results.
    await sleep(1_500);
    app.kill('SIGTERM');
    await app.waitForOutput(/Waiting up to 20 s for it/);
    await sleep(1_500);
    renameSync(`${control}.away`, control);
    expect(await app.ended).toBe(0);
    expect(app.output()).not.toContain('They will be repeated');
    app = await startApp({ parentFolder });
    await expectWholeBatch(app, batchId, provider, tasks, 0);
  } finally {
    await app.stop();
    await provider.stop();
    rmSync(parentFolder, { recursive: true, force: true });
  }
});
