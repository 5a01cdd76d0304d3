import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import type { TuningSize } from '#lib/core/tuning/long-tuning-run.test-support.ts';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { findBrowser } from '../browser.ts';
import { makeTemporaryFolder, startApp } from '../start-app.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { fillTuningRun } from './fill-tuning-run.ts';
import { type Measure, median } from './measure.ts';

const SIZE: TuningSize = { cases: 2_000, candidates: 50 };
const INTERACTIVE_MS = 1_000;
const LONGEST_TASK_MS = 200;

/** Measures the page of a tuning run with 50 candidates and 2,000 cases: time to interactive, longest task and page size. */
export async function tuningPageBench(repeats: number, log: (line: string) => void): Promise<Measure[]> {
  const parentFolder = makeTemporaryFolder();
  try {
    const runId = await makeRun(path.join(parentFolder, 'data'));
    log(`a run with ${SIZE.candidates} candidates and ${SIZE.cases} cases is stored`);
    const app = await startApp({ parentFolder });
    const browser = await chromium.launch(await findBrowser());
    try {
      const address = `${app.address}/runs/${runId}`;
      // One visit before the measurement to compile the page code.
      await visit(browser, address);
      const visits: Visit[] = [];
      for (let round = 0; round < repeats; round++) visits.push(await visit(browser, address));
      return measuresOf(visits);
    } finally {
      await browser.close();
      await app.stop();
    }
  } finally {
    rmSync(parentFolder, { recursive: true, force: true });
  }
}

async function makeRun(dataFolder: string): Promise<string> {
  const { connectionString, stop } = await startBenchPostgres(dataFolder);
  try {
    const database = openDatabase(connectionString);
    try {
      return await fillTuningRun(database, SIZE);
    } finally {
      await closeDatabase(database);
    }
  } finally {
    await stop();
  }
}

type Visit = { answeredMs: number; interactiveMs: number; longestTaskMs: number; selectMs: number; htmlKb: number };

/** Opens the page with an empty cache, then selects another candidate and scrolls through the cases. */
async function visit(browser: Browser, address: string): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.addInitScript(noteTasks);
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    let htmlBytes = 0;
    let documentId = '';
    network.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Document') documentId = requestId;
    });
    network.on('Network.dataReceived', ({ requestId, dataLength }) => {
      if (requestId === documentId) htmlBytes += dataLength;
    });
    const began = performance.now();
    await page.goto(address, { waitUntil: 'commit' });
    const answeredMs = performance.now() - began;
    const tree = page.getByTestId('lineage');
    await tree.waitFor();
    // Clicks work only after hydration.
    await page.waitForFunction(isHydrated, null, { polling: 20 });
    const interactiveMs = performance.now() - began;
    await page.waitForLoadState('networkidle');
    const pressed = performance.now();
    await tree.getByRole('button', { name: /^v3,/ }).first().click();
    await page.getByLabel('Output of version 3').waitFor();
    const selectMs = performance.now() - pressed;
    await page.getByTestId('case-table').scrollIntoViewIfNeeded();
    for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 2_000);
    await page.waitForLoadState('networkidle');
    const longestTaskMs = Number(await page.evaluate('Math.max(0, ...window.longTasks)'));
    return { answeredMs, interactiveMs, longestTaskMs, selectMs, htmlKb: htmlBytes / 1_000 };
  } finally {
    await page.close();
  }
}

/** Runs in the page: records the durations of long tasks. */
function noteTasks(): void {
  const durations: number[] = [];
  Object.defineProperty(window, 'longTasks', { value: durations });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) durations.push(duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** Runs in the page: returns true if the buttons of the candidate list are hydrated. */
function isHydrated(): boolean {
  const button = document.querySelector('[data-testid="lineage"] button');
  return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'));
}

function measuresOf(visits: Visit[]): Measure[] {
  const figures: { name: string; unit: Measure['unit']; of: keyof Visit; atMost: number | null }[] = [
    { name: 'first bytes', unit: 'ms', of: 'answeredMs', atMost: null },
    { name: 'takes input', unit: 'ms', of: 'interactiveMs', atMost: INTERACTIVE_MS },
    { name: 'longest task', unit: 'ms', of: 'longestTaskMs', atMost: LONGEST_TASK_MS },
    { name: 'another candidate selected', unit: 'ms', of: 'selectMs', atMost: null },
    { name: 'page sent by the server', unit: 'KB', of: 'htmlKb', atMost: null },
  ];
  return figures.map(({ name, unit, of, atMost }): Measure => {
    const samples = visits.map((one) => one[of]);
    return {
      ...{ part: 'tuning page', name, unit, value: median(samples), floor: null, ratio: null },
      ...{ wanted: atMost === null ? null : { of: 'value', atMost }, samples },
    };
  });
}
