import { type Browser, chromium } from '@playwright/test';
import { z } from 'zod';
import type { PAGES } from '#lib/auth/pages.ts';
import { findBrowser } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { type StartedApp, startApp } from '../start-app.ts';
import { TEAM_SECRET } from '../team-app.ts';
import type { Filled } from './fill-database.ts';
import type { Measure } from './measure.ts';

/** Name of this group of measures. Exceeding a budget fails the benchmark, because sizes do not depend on the machine. */
export const WEIGHT = 'JavaScript of a page';

/** Budget of every page without an editor. */
const BUDGET_KB = 200;
/** Pages above the general budget, which must not grow. Forms are weighed without their editors, which load on first interaction. */
const OTHER_BUDGETS_KB: Partial<Record<PagePath, number>> = {
  '/runs/{id}': 265,
  '/inbox': 255,
  '/experiments/new': 320,
  '/experiments/{id}/edit': 320,
  '/prompts/new': 215,
  '/prompts/{name}': 235,
};

type PagePath = keyof typeof PAGES;

/** Measures the compressed JavaScript that a first visit to each page loads until the network is idle. */
export async function weighPages(
  app: Pick<StartedApp, 'address'>,
  filled: Filled,
  log: (line: string) => void,
): Promise<Measure[]> {
  const team = await startTeam();
  const browser = await chromium.launch(await findBrowser());
  try {
    const measures: Measure[] = [];
    for (const [name, address] of Object.entries({ ...(await pagesOf(app.address, filled)), ...team.pages })) {
      const value = (await loadedScripts(browser, address)) / 1_000;
      const atMost = Object.entries(OTHER_BUDGETS_KB).find(([page]) => page === name)?.[1] ?? BUDGET_KB;
      measures.push({
        part: WEIGHT,
        name,
        unit: 'KB',
        value,
        floor: null,
        ratio: null,
        wanted: { of: 'value', atMost },
        samples: [value],
      });
    }
    const heaviest = Math.max(...measures.map(({ value }) => value));
    log(`${measures.length} pages weighed, the heaviest has ${heaviest.toFixed(0)} KB of JavaScript`);
    return measures;
  } finally {
    await browser.close();
    await team.stop();
  }
}

/** Pages of people who are not signed in. They exist only in team mode. */
type OpenPage = Extract<PagePath, '/sign-in' | '/join/{token}'>;

/** Starts a second Hone in team mode, whose link for the first owner opens `/join/{token}`. */
async function startTeam(): Promise<{ pages: Record<OpenPage, string>; stop: () => Promise<void> }> {
  const port = await freePort();
  const env = { HONE_MODE: 'team', HONE_SECRET: TEAM_SECRET, APP_URL: `http://127.0.0.1:${port}` };
  const app = await startApp({ port, env });
  const [link] = /http\S+\/join\/\S+/.exec(app.output()) ?? [];
  if (link === undefined) throw new Error(`no link for the first owner in the output:\n${app.output()}`);
  return { pages: { '/sign-in': `${app.address}/sign-in`, '/join/{token}': link }, stop: app.stop };
}

/** Returns the addresses of all pages by their paths, so that none is missing. */
async function pagesOf(address: string, { experimentId, runId, comparedIds }: Filled): Promise<Record<string, string>> {
  const first = async (list: string) => {
    const page = listSchema.parse(await (await fetch(`${address}/api/v1${list}`)).json());
    return page.items[0];
  };
  const [dataset, lesson, prompt] = await Promise.all(['/datasets', '/lessons', '/prompts'].map(first));
  const paths: Record<Exclude<PagePath, OpenPage>, string> = {
    '/': '/',
    '/account': '/account',
    '/compare': `/compare?of=${comparedIds.join(',')}`,
    '/datasets': '/datasets',
    '/datasets/new': '/datasets/new',
    '/datasets/{id}': `/datasets/${dataset?.id}`,
    '/docs': '/docs',
    '/docs/{section}/{page}': '/docs/get-started/first-run',
    '/experiments': '/experiments',
    '/experiments/new': '/experiments/new',
    '/experiments/{id}': `/experiments/${experimentId}`,
    '/experiments/{id}/blind': `/experiments/${experimentId}/blind`,
    '/experiments/{id}/edit': `/experiments/${experimentId}/edit`,
    '/inbox': '/inbox',
    '/insights': '/insights',
    '/lessons': '/lessons',
    '/lessons/import': '/lessons/import',
    '/lessons/new': '/lessons/new',
    '/lessons/recall': '/lessons/recall?q=units',
    '/lessons/review': '/lessons/review',
    '/lessons/{id}': `/lessons/${lesson?.id}`,
    '/models': '/models',
    '/no-access': '/no-access',
    '/prompts': '/prompts',
    '/prompts/new': '/prompts/new',
    '/prompts/{name}': `/prompts/${prompt?.name}`,
    '/prompts/{name}/diff': `/prompts/${prompt?.name}/diff`,
    '/runs': '/runs',
    '/runs/import': '/runs/import',
    '/runs/{id}': `/runs/${runId}`,
    '/runs/{id}/calls': `/runs/${runId}/calls`,
    '/search': '/search?q=case',
    '/settings': '/settings',
    '/settings/audit': '/settings/audit',
    '/settings/backup': '/settings/backup',
    '/settings/team': '/settings/team',
    '/targets': '/targets',
  };
  return Object.fromEntries(Object.entries(paths).map(([page, path]) => [page, address + path]));
}

const listSchema = z.object({ items: z.array(z.object({ id: z.string().optional(), name: z.string().optional() })) });

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
