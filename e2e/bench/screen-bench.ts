import { chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { findBrowser } from '../browser.ts';
import { startScriptedProvider } from '../scripted-provider.ts';
import type { StartedApp } from '../start-app.ts';
import { type Measure, median, percentile } from './measure.ts';

const LATENCY_MS = 150;
const ATTEMPTS = 40;
const LONGEST_P95_MS = 300;

/** Measures the delay from the creation of a version, before storage, until its row is visible to a viewer. */
export async function screenBench(app: StartedApp, repeats: number, log: (line: string) => void): Promise<Measure[]> {
  const provider = await startScriptedProvider((request) => ({
    text: `Attempt ${request.number}: I reckon the train arrives at noon. Finish[noon]`,
    delayMs: LATENCY_MS,
  }));
  const browser = await chromium.launch(await findBrowser());
  try {
    const experimentId = await makeExperiment(app, provider.baseUrl);
    const rounds: number[][] = [];
    for (let round = 1; round <= repeats; round++) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const delays = await watchRun(app, page, experimentId);
      await page.close();
      rounds.push(delays);
      log(`round ${round} of ${repeats}: ${delays.length} events, p95 ${percentile(delays, 0.95).toFixed(0)} ms`);
    }
    return (['p50', 'p95'] as const).map((figure): Measure => {
      const values = rounds.map((delays) => percentile(delays, figure === 'p50' ? 0.5 : 0.95));
      return {
        part: 'screen',
        name: `from a created version to its row on the screen, ${figure}`,
        unit: 'ms',
        value: median(values),
        floor: null,
        ratio: null,
        wanted: figure === 'p95' ? { of: 'value', atMost: LONGEST_P95_MS } : null,
        samples: values,
      };
    });
  } finally {
    await browser.close();
    await provider.stop();
  }
}

async function makeExperiment(app: StartedApp, baseUrl: string): Promise<string> {
  const name = `bench-${Date.now()}`;
  await post(app, '/providers', { name, kind: 'openai-compatible', baseUrl });
  const criteria = [
    { name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } },
  ];
  const settings = { mode: 'retry', qualityThreshold: 1, maxAttempts: ATTEMPTS, convergence: null };
  const generator = { provider: name, model: 'scripted-1' };
  const made = await post(app, '/experiments', { name, ...settings, generator, criteria, lessons: { write: 'off' } });
  return z.object({ id: z.string() }).parse(made).id;
}

/** Returns the delay in milliseconds of each version whose row appeared. */
async function watchRun(app: StartedApp, page: Page, experimentId: string): Promise<number[]> {
  await page.addInitScript(recordRows);
  const started = await post(app, `/experiments/${experimentId}/runs`, { input: 'When?', reference: 'never this' });
  const runId = z.object({ runIds: z.tuple([z.string()]) }).parse(started).runIds[0];
  const streamed = page.waitForResponse((response) => response.url().includes(`/runs/${runId}/events`));
  await page.goto(`${app.address}/runs/${runId}`);
  await streamed;
  const followedAt = Date.now();
  await page
    .getByText(`v${ATTEMPTS - 1}`, { exact: true })
    .first()
    .waitFor({ timeout: 60_000 });
  const seen = new Map(z.array(z.tuple([z.string(), z.number()])).parse(await page.evaluate('window.rowsSeen')));
  const madeAt = await versionsMadeAt(app, runId);
  return madeAt.flatMap(({ version, at }) => {
    const seenAt = seen.get(`v${version}`);
    return seenAt === undefined || at < followedAt ? [] : [seenAt - at];
  });
}

/** Runs in the page: records the time at which each row of the version list first appears. */
function recordRows(): void {
  const rows = new Map<string, number>();
  const look = () => {
    for (const button of document.querySelectorAll('[data-testid="version-list"] tbody button')) {
      const name = button.textContent?.trim() ?? '';
      if (!rows.has(name)) rows.set(name, Date.now());
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  Object.defineProperty(window, 'rowsSeen', { get: () => [...rows] });
}

const recordSchema = z.object({ versions: z.array(z.object({ number: z.int(), createdAt: z.iso.datetime() })) });

/** Returns the creation time of each version, which is shortly before its event is stored. */
async function versionsMadeAt(app: StartedApp, runId: string): Promise<{ version: number; at: number }[]> {
  const { versions } = recordSchema.parse(await (await fetch(`${app.address}/api/v1/runs/${runId}`)).json());
  return versions.map(({ number, createdAt }) => ({ version: number, at: Date.parse(createdAt) }));
}

async function post(app: StartedApp, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${app.address}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
