import type { Page } from '@playwright/test';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { experimentsSchema } from '#lib/api/experiments-schema.ts';
import { runSchema, runsSchema, statusSchema } from '#lib/api/runs-schema.ts';
import { madeApiTokenSchema } from '#lib/api/team.ts';
import type { Api } from '../api/open-api.ts';
import { openStream } from '../api/open-stream.ts';
import { createProvider } from '../create-provider.ts';
import { opens, pressDelete } from './opens.ts';
import { stageAgents } from './stage-agents.ts';
import { stageLessons } from './stage-lessons.ts';
import { stagePlayground } from './stage-playground.ts';
import { stagePrompts } from './stage-prompts.ts';
import { stageTuning } from './stage-tuning.ts';
import { startStagedProvider } from './staged-provider.ts';

/**
 * Page to check visually. `name` is usable as a file name. `isLive` is true if the page keeps changing. `act` opens something on it, and
 * the picture then shows the window instead of the whole page.
 */
export type StagedPage = { name: string; path: string; isLive?: boolean; act?: (page: Page) => Promise<void> };
export type Stage = {
  pages: StagedPage[];
  /** The same pages with a dialog or menu open. */
  opened: StagedPage[];
  stop(): Promise<void>;
};

const INPUT = 'How do I verify a webhook and handle retries?';

/** Fills a fresh Hone instance so that every page and every state of a run can be shown. */
export async function stagePages(api: Api): Promise<Stage> {
  const provider = await startStagedProvider();
  await createProvider(api, {
    name: 'scripted',
    baseUrl: provider.baseUrl,
    prices: { writer: { inputPerMillionUsd: 0.5, outputPerMillionUsd: 1.5 } },
  });
  const experiment = (model: string, settings: Record<string, unknown> = {}) =>
    api.createExperiment({
      name: `Webhook guide by ${model}`,
      generator: { provider: 'scripted', model },
      criteria: [
        { name: 'clarity', evaluator: 'llm', description: 'One idea a sentence' },
        { name: 'completeness', evaluator: 'llm', description: 'Says when and how often' },
      ],
      maxIterations: 4,
      ...settings,
    });
  const start = async (model: string, settings?: Record<string, unknown>) =>
    api.startRun(await experiment(model, settings), INPUT);

  await waitForSamples(api);
  const guide = await experiment('writer');
  const ended = ['finished', 'failed'];
  const written = await api.startRun(guide, INPUT);
  await api.waitForRun(written, ended);
  const json = await start('coder');
  const coded = await api.waitForRun(json, ended);
  const long = await start('dull', { maxIterations: 50, qualityThreshold: 1, convergence: null });
  await api.waitForRun(long, ended, 120_000);
  const failed = await start('closed');
  await api.waitForRun(failed, ['failed']);
  const garbled = await start('garbled');
  await api.waitForRun(garbled, ended);
  const waiting = await start('writer', { name: 'Webhook guide, a person decides', callbacks: { pause: 'always' } });
  await api.waitForRun(waiting, ['waiting']);
  const looked = await start('writer', {
    name: 'Webhook guide, revisions looked at',
    callbacks: { review: { revisions: true } },
  });
  await api.waitForRun(looked, ['waiting']);
  const stopped = await start('silent');
  await waitForVersions(api, stopped);
  await api.read(statusSchema, 'POST', `/api/v1/runs/${stopped}/stop`);
  const streaming = await start('slow');
  // Calls are streamed only while a client follows the run.
  const follower = await openStream(api.address, streaming);
  await waitForVersions(api, streaming);
  const dataset = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Sums',
    cases: Array.from({ length: 260 }, (_, at) => ({ input: `What is ${at} + ${at * 3}?`, reference: String(at * 4) })),
  });
  const empty = await experiment('writer', { name: 'Not run yet' });
  const batch = await sampleBatch(api);
  const agents = await stageAgents(api);
  await api.read(madeApiTokenSchema, 'POST', '/api/v1/tokens', { name: 'nightly-ci', scopes: ['runs:read'] });
  const lessons = await stageLessons(api);
  const prompts = await stagePrompts(api);
  const playground = await stagePlayground(api);
  const tuning = await stageTuning(api);
  return {
    pages: [
      { name: 'home', path: '/' },
      { name: 'experiments', path: '/experiments' },
      { name: 'experiments-none-found', path: '/experiments?q=zzz' },
      { name: 'experiment-batch', path: `/experiments/${batch}` },
      { name: 'experiment-one-run', path: `/experiments/${guide}` },
      { name: 'experiment-empty', path: `/experiments/${empty}` },
      { name: 'experiment-settings', path: `/experiments/${batch}?tab=settings` },
      { name: 'experiment-edit', path: `/experiments/${guide}/edit` },
      { name: 'experiment-blind', path: `/experiments/${guide}/blind` },
      { name: 'experiment-blind-none', path: `/experiments/${empty}/blind` },
      { name: 'experiment-new', path: '/experiments/new' },
      { name: 'experiment-duplicate', path: `/experiments/new?from=${guide}` },
      { name: 'compare', path: `/compare?of=${guide},${coded.experimentId}&add=1` },
      { name: 'search', path: '/search?q=webhook' },
      { name: 'datasets', path: '/datasets' },
      { name: 'dataset', path: `/datasets/${dataset.id}` },
      { name: 'dataset-history', path: `/datasets/${dataset.id}?tab=history` },
      { name: 'dataset-splits', path: `/datasets/${dataset.id}?tab=splits` },
      { name: 'dataset-new', path: '/datasets/new' },
      { name: 'inbox', path: `/inbox?item=${waiting}` },
      { name: 'inbox-list', path: `/inbox?item=${waiting}&show=list` },
      { name: 'inbox-none', path: '/inbox?kind=escalated' },
      { name: 'insights', path: '/insights?of=all' },
      { name: 'runs', path: '/runs?reading=final_better.missed&models=all' },
      { name: 'runs-import', path: '/runs/import' },
      { name: 'models', path: '/models' },
      { name: 'settings', path: '/settings' },
      { name: 'team', path: '/settings/team' },
      { name: 'audit', path: '/settings/audit' },
      { name: 'backup', path: '/settings/backup' },
      { name: 'account', path: '/account' },
      { name: 'run-finished', path: `/runs/${written}` },
      { name: 'run-diff', path: `/runs/${written}?v=1&view=diff` },
      { name: 'run-diff-unified', path: `/runs/${written}?v=2&against=0&view=diff&layout=unified&space=shown` },
      { name: 'run-rendered', path: `/runs/${written}?view=rendered` },
      { name: 'run-json-diff', path: `/runs/${json}?v=1&view=diff` },
      { name: 'run-long', path: `/runs/${long}` },
      { name: 'run-unscored', path: `/runs/${garbled}` },
      { name: 'run-failed', path: `/runs/${failed}` },
      { name: 'run-stopped', path: `/runs/${stopped}` },
      { name: 'run-waiting', path: `/runs/${waiting}` },
      { name: 'run-revision-waiting', path: `/runs/${looked}` },
      { name: 'inbox-revision', path: `/inbox?item=${looked}` },
      { name: 'run-calls', path: `/runs/${written}/calls` },
      { name: 'no-access', path: '/no-access?needs=owner' },
      { name: 'not-found', path: '/runs/00000000-0000-4000-8000-000000000000' },
      ...agents.pages,
      ...lessons.pages,
      ...prompts.pages,
      ...playground.pages,
      ...tuning,
      { name: 'run-streaming', path: `/runs/${streaming}`, isLive: true },
    ],
    opened: [
      ...openedPages({ run: written, waiting, experiment: guide }),
      ...agents.opened,
      ...lessons.opened,
      ...prompts.opened,
      ...playground.opened,
    ],
    stop: async () => {
      follower.cut();
      await provider.stop();
    },
  };
}

/** Dialogs, menus and form errors over a page. Opening them changes no stored data. */
function openedPages(ids: { run: string; waiting: string; experiment: string }): StagedPage[] {
  const dialog = (page: Page) => page.getByRole('dialog');
  return [
    { name: 'open-menu', path: '/', act: opens((page) => page.keyboard.press('Control+k'), dialog) },
    { name: 'open-keys', path: `/runs/${ids.waiting}`, act: opens((page) => page.keyboard.press('?'), dialog) },
    { name: 'open-override', path: `/runs/${ids.waiting}`, act: opens((page) => page.keyboard.press('o'), dialog) },
    { name: 'open-guide', path: `/runs/${ids.waiting}`, act: opens((page) => page.keyboard.press('g'), dialog) },
    { name: 'open-edit', path: `/runs/${ids.waiting}`, act: opens((page) => page.keyboard.press('e'), dialog) },
    {
      name: 'open-override-error',
      path: `/runs/${ids.run}`,
      act: async (page) => {
        await opens((one) => one.getByRole('button', { name: /^Score v/ }).click(), dialog)(page);
        await page.getByLabel('Score', { exact: true }).fill('7');
        await page.getByRole('button', { name: 'Add score' }).click();
        await page.getByText('must be a number from 0 to 1').waitFor();
      },
    },
    {
      name: 'open-undo',
      path: `/runs/${ids.run}?v=1`,
      act: opens(
        (page) => page.getByRole('button', { name: 'Accept v1' }).click(),
        (page) => page.getByTestId('draft-toast'),
      ),
    },
    {
      name: 'open-what-if',
      path: `/runs/${ids.run}`,
      act: opens(
        (page) => page.getByRole('button', { name: 'What if' }).click(),
        (page) => page.getByRole('region', { name: 'What if' }),
      ),
    },
    {
      name: 'open-draft',
      path: `/runs/${ids.waiting}`,
      act: async (page) => {
        await opens(
          (one) => one.keyboard.press('a'),
          (one) => one.getByText('Your draft'),
        )(page);
        await page.keyboard.press('Tab');
      },
    },
    {
      name: 'open-delete',
      path: `/experiments/${ids.experiment}`,
      act: opens(pressDelete, dialog),
    },
    {
      name: 'open-start',
      path: `/experiments/${ids.experiment}`,
      act: opens((page) => page.getByRole('button', { name: 'Run a case' }).click(), dialog),
    },
    {
      name: 'open-save-view',
      path: '/experiments?sort=success',
      act: opens((page) => page.getByRole('button', { name: 'Save view' }).click(), dialog),
    },
    {
      name: 'open-tip',
      path: `/runs/${ids.run}`,
      act: async (page) => {
        // The chart reacts to the pointer only after hydration.
        const surface = (one: Page) => one.locator('.recharts-surface').first();
        let x = 0;
        await opens((one) => one.mouse.move(x++, 1), surface)(page);
        const box = await surface(page).boundingBox();
        if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      },
    },
    {
      name: 'open-form-error',
      path: '/experiments/new',
      act: opens(
        (page) => page.getByRole('button', { name: 'Save without running' }).click(),
        (page) => page.locator('[aria-invalid="true"]').first(),
      ),
    },
    {
      name: 'open-supervisor-form',
      path: '/experiments/new',
      act: async (page) => {
        const add = page.getByRole('button', { name: 'Add worker' });
        const base = page.getByLabel('First draft', { exact: true });
        await opens(
          async () => {
            if (!(await base.isVisible())) await page.getByText('Generation', { exact: true }).click();
            await base.selectOption('supervisor');
          },
          () => add,
        )(page);
        await add.click();
        await page.getByRole('group', { name: 'Tools of the supervisor' }).getByLabel('http_get').check();
      },
    },
    {
      name: 'open-import-error',
      path: '/datasets/new',
      act: opens(
        async (page) => {
          await page.getByLabel('Name').fill('Sums');
          await page
            .getByRole('textbox', { name: 'Cases' })
            .fill('{"input": "What is 1 + 1?"}\n{"input": 2}\nnot JSON');
        },
        (page) => page.getByText('Fix lines 2 and 3 first'),
      ),
    },
    {
      name: 'open-call',
      path: `/runs/${ids.run}/calls`,
      act: opens(
        (page) => page.locator('summary').nth(1).click(),
        (page) => page.getByRole('heading', { name: 'Prompt' }).first(),
      ),
    },
    {
      name: 'open-provider',
      path: '/models',
      act: opens(
        (page) => page.locator('summary').nth(1).click(),
        (page) => page.locator('details[open]').first(),
      ),
    },
  ];
}

/** Waits until each sample, which starts automatically at the first start, has ended or waits for a person. */
export async function waitForSamples(api: Api): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { items } = await api.read(runsSchema, 'GET', '/api/v1/runs?limit=100');
    if (items.length > 0 && items.every(({ status }) => status !== 'queued' && status !== 'running')) return;
    if (Date.now() > until) throw new Error('the samples did not come to an end');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function waitForVersions(api: Api, runId: string): Promise<void> {
  const until = Date.now() + 20_000;
  while ((await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).versions[0]?.evaluations.length !== 1) {
    if (Date.now() > until) throw new Error(`run ${runId} made no version`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function sampleBatch(api: Api): Promise<string> {
  const { items } = await api.read(experimentsSchema, 'GET', '/api/v1/experiments?limit=100');
  return items.find(({ sample, mode }) => sample && mode === 'retry')?.id ?? '';
}
