import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import type { StartedApp } from '../start-app.ts';
import type { Filled } from './fill-database.ts';
import type { Measure } from './measure.ts';

/** Name of this group of measures. Exceeding a budget fails the benchmark, because sizes do not depend on the machine. */
export const WEIGHT = 'JavaScript of a page';

/** Budget of every page without an editor. */
const BUDGET_KB = 200;
/** A run with chart, diffs and decisions. Above the general budget for now; must not grow. */
const RUN_BUDGET_KB = 270;
/** Forms without the code of their editors, which loads on first interaction. */
const PROMPT_BUDGET_KB = 225;
const EXPERIMENT_FORM_BUDGET_KB = 335;

/** Measures the compressed JavaScript that a first visit to each page loads until the network is idle. */
export async function weighPages(
  app: Pick<StartedApp, 'address'>,
  filled: Filled,
  log: (line: string) => void,
): Promise<Measure[]> {
  const browser = await chromium.launch(await findBrowser());
  try {
    const measures: Measure[] = [];
    for (const [name, { path, budgetKb }] of Object.entries(pagesOf(filled))) {
      const value = (await loadedScripts(browser, app.address + path)) / 1_000;
      measures.push({
        part: WEIGHT,
        name,
        unit: 'KB',
        value,
        floor: null,
        ratio: null,
        wanted: { of: 'value', atMost: budgetKb },
        samples: [value],
      });
    }
    const heaviest = Math.max(...measures.map(({ value }) => value));
    log(`${measures.length} pages weighed, the heaviest has ${heaviest.toFixed(0)} KB of JavaScript`);
    return measures;
  } finally {
    await browser.close();
  }
}

function pagesOf({ experimentId, runId, comparedIds }: Filled): Record<string, { path: string; budgetKb: number }> {
  const plain = (path: string) => ({ path, budgetKb: BUDGET_KB });
  return {
    home: plain('/'),
    experiments: plain('/experiments'),
    experiment: plain(`/experiments/${experimentId}`),
    'compare two': plain(`/compare?of=${comparedIds.slice(0, 2).join(',')}`),
    insights: plain('/insights'),
    runs: plain('/runs'),
    datasets: plain('/datasets'),
    'new dataset': plain('/datasets/new'),
    lessons: plain('/lessons'),
    prompts: plain('/prompts'),
    models: plain('/models'),
    settings: plain('/settings'),
    search: plain('/search?q=case'),
    docs: plain('/docs'),
    'a page of the docs': plain('/docs/get-started/first-run'),
    'calls of a run': plain(`/runs/${runId}/calls`),
    run: { path: `/runs/${runId}`, budgetKb: RUN_BUDGET_KB },
    inbox: { path: '/inbox', budgetKb: RUN_BUDGET_KB },
    'new experiment': { path: '/experiments/new', budgetKb: EXPERIMENT_FORM_BUDGET_KB },
    'new prompt': { path: '/prompts/new', budgetKb: PROMPT_BUDGET_KB },
  };
}

/** Returns the bytes of all scripts that a page loads into an empty cache, including headers. */
async function loadedScripts(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage();
  try {
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const scripts = new Set<string>();
    let bytes = 0;
    network.on('Network.responseReceived', ({ requestId, response }) => {
      if (/\.js(?:\?|$)/.test(response.url)) scripts.add(requestId);
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    const response = await page.goto(address, { waitUntil: 'networkidle' });
    if (response?.status() !== 200) throw new Error(`${address} answered ${response?.status()}`);
    return bytes;
  } finally {
    await page.close();
  }
}
