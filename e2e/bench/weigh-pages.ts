import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import type { StartedApp } from '../start-app.ts';
import type { Filled } from './fill-database.ts';
import type { Measure } from './measure.ts';

/** The part of these measures; what is over its budget fails the benchmark, since it does not hang on the machine. */
export const WEIGHT = 'JavaScript of a page';

/** What every page without an editor is to hold. */
const BUDGET_KB = 200;
/** Long tables and segmented choices: not within the budget yet, and not to grow. */
const TABLE_BUDGET_KB = 230;
/** A run with its chart, diffs and decisions: not within the budget yet, and not to grow. */
const RUN_BUDGET_KB = 275;
/** Forms without the code of their editors, which is loaded when somebody touches the page. */
const PROMPT_BUDGET_KB = 270;
const EXPERIMENT_FORM_BUDGET_KB = 335;

/** What a first visit to each page loads of JavaScript, compressed as it is sent, up to the moment the network rests. */
export async function weighPages(
  app: Pick<StartedApp, 'address'>,
  filled: Filled,
  say: (line: string) => void,
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
    say(`${measures.length} pages weighed, the heaviest has ${heaviest.toFixed(0)} KB of JavaScript`);
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
    experiment: { path: `/experiments/${experimentId}`, budgetKb: TABLE_BUDGET_KB },
    'compare two': { path: `/compare?of=${comparedIds.slice(0, 2).join(',')}`, budgetKb: TABLE_BUDGET_KB },
    insights: plain('/insights'),
    runs: plain('/runs'),
    'new dataset': { path: '/datasets/new', budgetKb: TABLE_BUDGET_KB },
    lessons: plain('/lessons'),
    prompts: plain('/prompts'),
    models: plain('/models'),
    settings: plain('/settings'),
    search: plain('/search?q=case'),
    docs: plain('/docs'),
    'a page of the docs': plain('/docs/get-started/first-run'),
    run: { path: `/runs/${runId}`, budgetKb: RUN_BUDGET_KB },
    inbox: { path: '/inbox', budgetKb: RUN_BUDGET_KB },
    'new experiment': { path: '/experiments/new', budgetKb: EXPERIMENT_FORM_BUDGET_KB },
    'new prompt': { path: '/prompts/new', budgetKb: PROMPT_BUDGET_KB },
  };
}

/** The bytes of all scripts that a page loads into an empty cache, with their headers. */
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
