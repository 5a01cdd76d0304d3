import type { Page } from '@playwright/test';
import { createdSchema, experimentSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { runSchema } from '#lib/api/runs-schema.ts';
import { Hone } from '../sdk/typescript/src/index.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { createProvider } from './create-provider.ts';
import { openPart } from './open-part.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';
import { casesOf, createTuned, isProposalRequest, proposalOf } from './tuned-experiment.ts';

const CASES = [
  ...casesOf('train', ['item 0', 'item 1']),
  ...casesOf('validation', ['item 2']),
  ...casesOf('held_out', ['item 3']),
];
/** Settings that limit a run to one proposal. */
const ONE_PROPOSAL = {
  mode: 'tune',
  criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
  qualityThreshold: 1,
  maxIterations: 1,
  convergence: null,
  tune: { maxRepeats: 1, proposalsAtOnce: 1 },
  lessons: { store: 'none', write: 'off' },
};

/** Proposes a prompt with the word that follows "must be" in a trace, or with "nothing" if there is no trace. */
function proposal({ prompt }: ScriptedRequest, textOf: (found: string) => string): string {
  const [, found = 'nothing'] = /must be (\w+)/.exec(prompt) ?? [];
  return proposalOf(textOf(found));
}

async function showTrace(page: Page, version: number): Promise<void> {
  await page
    .getByTestId('case-table')
    .getByRole('button', { name: /Case|item/ })
    .first()
    .click();
  await page.getByTestId('case-pane').getByText(`Trace of v${version}`).click();
}

test('target steps reach the reflection model and the page', async ({ page, app }) => {
  const api = openApi(app.address);
  const provider = await startScriptedProvider((request) => ({
    text: proposal(request, (found) => `Search for items that are ${found}.`),
  }));
  const stop = new AbortController();
  const worker = new Hone({ url: app.address }).target(
    'searcher',
    async ({ case: { input }, components, step }) => {
      const isRight = components.query.includes('sealed');
      await step('search', () => (isRight ? [`page of ${input}`] : 'No page: the state of an item must be sealed.'), {
        component: 'query',
        input,
      });
      return isRight ? 'yes' : 'no';
    },
    { components: { query: { text: 'Search.' } }, signal: stop.signal, stopOnSignals: false, quiet: true },
  );
  try {
    // Waits until the worker has registered its target.
    await expect.poll(async () => (await api.call('GET', '/api/v1/targets/searcher')).status).toBe(200);
    const target = { name: 'searcher', components: { query: 'Search.' }, tuned: 'query' };
    const id = await createTuned(
      api,
      { name: 'reader', baseUrl: provider.baseUrl },
      { ...ONE_PROPOSAL, name: 'Searches', generator: { provider: 'reader', model: 'scripted-1', target } },
    );
    const { runIds } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, { cases: CASES });
    const [runId = ''] = runIds;
    await api.waitForRun(runId, ['finished'], 60_000);
    const { versions } = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
    expect(versions.map(({ output }) => output)).toEqual(['Search.', 'Search for items that are sealed.']);

    await page.goto(`/runs/${runId}?v=1`);
    await showTrace(page, 0);
    const pane = page.getByTestId('case-pane');
    await expect(pane.getByRole('list', { name: 'Steps of the trace' })).toContainText('1. search');
    await expect(pane).toContainText('No page: the state of an item must be sealed.');
    await pane.getByText('Trace of v1').click();
    await expect(pane).toContainText('["page of item');
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await excessWidth(page)).toBe(0);
  } finally {
    stop.abort();
    await worker;
    await provider.stop();
  }
});

test('an agent prompt is tuned over its runs', async ({ page, app }) => {
  const api = openApi(app.address);
  // The agent uses the calculator once, then responds depending on a word in its prompt and the result.
  const provider = await startScriptedProvider((request) => {
    if (isProposalRequest(request)) return { text: proposal(request, (found) => `Add numbers that are ${found}.`) };
    const isRight = request.messages.some(({ role, content }) => role === 'system' && content.includes('valid'));
    if (request.messages.at(-1)?.role === 'tool') return { text: isRight ? 'yes' : 'no' };
    return {
      text: 'I compute.',
      toolCalls: [['javascript', { code: isRight ? '1' : 'throw new Error("must be valid")' }]],
    };
  });
  try {
    await createProvider(api, { name: 'adder', baseUrl: provider.baseUrl });
    await page.goto('/experiments/new');
    // Retries, because a selection before hydration is lost.
    await expect(async () => {
      await page.getByLabel('Start from').selectOption('Tune a prompt');
      await expect(page.getByLabel('Prompt to tune')).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.getByLabel('Name').first().fill('Agent to tune');
    await page.getByLabel('Prompt to tune').fill('Add numbers.');
    await openPart(page, 'Generation');
    await page.getByLabel('Answers', { exact: true }).selectOption('react');
    await page.getByRole('group', { name: 'Tools of the agent' }).getByLabel('javascript').check();
    await expect(page.getByRole('group', { name: 'Require approval for' })).toHaveCount(0);
    await expect(page.getByLabel('Answers', { exact: true }).locator('option')).toHaveCount(2);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save without running' }).click();
    await page.waitForURL(/\/experiments\/[0-9a-f-]{36}\b/);
    const path = `/api/v1${new URL(page.url()).pathname}`;
    const { settings } = await api.read(experimentSchema, 'GET', path);
    expect(settings.generator.base).toMatchObject({ type: 'react', approve: [] });

    const generator = { ...settings.generator, provider: 'adder', model: 'scripted-1' };
    await api.read(createdSchema, 'PATCH', path, { ...ONE_PROPOSAL, generator });
    const { runIds } = await api.read(startedSchema, 'POST', `${path}/runs`, { cases: CASES });
    const [runId = ''] = runIds;
    await api.waitForRun(runId, ['finished'], 60_000);
    const { versions } = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
    expect(versions.map(({ output }) => output)).toEqual(['Add numbers.', 'Add numbers that are valid.']);

    await page.goto(`/runs/${runId}?v=1`);
    await showTrace(page, 0);
    await expect(page.getByTestId('case-pane')).toContainText('must be valid');
    expect(await violationsInBothThemes(page)).toEqual([]);
  } finally {
    await provider.stop();
  }
});
