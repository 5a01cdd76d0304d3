import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { decidedSchema } from '#lib/api/runs-schema.ts';
import { openApi } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import { startScriptedProvider } from '../scripted-provider.ts';
import { type StartedApp, startApp, startRestartableApp } from '../start-app.ts';
import { expectWholeBatch, learningTasks, startLearningBatch } from './learning-batch.ts';
import { startLearningProvider } from './learning-provider.ts';

const SLOTS = 4;
const LATENCY_MS = 250;

test('a batch survives SIGKILL three times: same curve, each version once, only calls in flight repeated', async () => {
  test.setTimeout(300_000);
  const kills = 3;
  const tasks = learningTasks(20);
  const provider = await startLearningProvider(tasks, () => LATENCY_MS);
  const hone = await startRestartableApp({ HONE_WORKER_SLOTS: String(SLOTS) });
  try {
    const batchId = await startLearningBatch(hone.app, provider, tasks);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(1_200 + Math.random() * 1_500);
      await hone.killAndRestart();
    }
    await expectWholeBatch(hone.app, batchId, provider, tasks, kills * SLOTS);
  } finally {
    await hone.stop();
    await provider.stop();
  }
});

test('a batch continues after PostgreSQL is killed, and no call is repeated', async () => {
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

test('a run waiting for a reviewer survives SIGKILL at the same pause and accepts the decision', async () => {
  test.setTimeout(180_000);
  const hone = await startRestartableApp();
  try {
    const api = openApi(hone.app.address);
    const experimentId = await api.createExperiment({ callbacks: { pause: 'always' }, convergence: null });
    const runId = await api.startRun(experimentId);
    const before = await api.waitForRun(runId, ['waiting']);
    await hone.killAndRestart();
    expect(await api.waitForRun(runId, ['waiting'])).toEqual(before);
    const guided = { decision: 'revise', guidance: 'Add an example.', pauseId: before.waitingFor?.pauseId };
    await api.read(decidedSchema, 'POST', `/api/v1/runs/${runId}/decisions`, guided);
    await expect
      .poll(async () => (await api.waitForRun(runId, ['waiting', 'running', 'queued'])).waitingFor?.version)
      .toBe(1);
  } finally {
    await hone.stop();
  }
});

test('a run that crashes the app three times fails with the reason and can be resumed', async ({ page }) => {
  test.setTimeout(180_000);
  const provider = await startScriptedProvider(() => ({ hang: true }));
  const hone = await startRestartableApp();
  try {
    const api = openApi(hone.app.address);
    const { baseUrl } = provider;
    await createProvider(api, { name: 'hangs', baseUrl });
    const experimentId = await api.createExperiment({ generator: { provider: 'hangs', model: 'scripted-1' } });
    const runId = await api.startRun(experimentId);
    for (let life = 1; life <= 3; life++) {
      await expect.poll(() => provider.calls.length, { timeout: 30_000 }).toBe(life);
      await hone.killAndRestart();
    }
    const given = await api.waitForRun(runId, ['failed'], 30_000);
    expect(given).toMatchObject({ convergenceReason: 'internal_error', success: false });
    expect(provider.calls).toHaveLength(3);
    await page.goto(`${hone.app.address}/runs/${runId}`);
    await expect(page.getByText('The run was begun 3 times without getting a step further.')).toBeVisible();
    provider.setScript(({ prompt }) => ({
      text: prompt.includes('<criteria>')
        ? JSON.stringify({
            criteria: [{ name: 'clarity', score: 0.9, reason: 'r', issues: [], suggestions: [] }],
            confidence: 0.9,
          })
        : 'It stays upright by steering.',
    }));
    const resume = page.getByRole('button', { name: /^Resume/ });
    await expect(async () => {
      // A click that worked slowly has removed the button, too.
      if (await resume.isVisible()) await resume.click({ timeout: 1_000 });
      await api.waitForRun(runId, ['finished'], 10_000);
    }).toPass({ timeout: 40_000 });
  } finally {
    await hone.stop();
    await provider.stop();
  }
});

function postmasterOf(app: StartedApp): number {
  const file = path.join(app.dataFolder, 'postgres/cluster/postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}
