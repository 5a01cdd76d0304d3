import { experimentSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { openPart } from './open-part.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';
import { casesOf, createTuned, isProposalRequest, itemAnswer, proposalOf } from './tuned-experiment.ts';

const promptOf = (known: string) => `Item: {{input}}. Known: ${known}.`;
const PROPOSALS = [promptOf('b'), promptOf('a b c p q')];
const CASES = [
  ...casesOf('train', ['a', 'b', 'c']),
  ...casesOf('validation', ['p', 'q', 'r', 's']),
  ...casesOf('held_out', ['x', 'y']),
];

/** Responds "yes" for items in the prompt, and at a temperature of 0.2 also for r, s, x and c. Proposes the prompts above in order. */
function scripted() {
  let proposed = 0;
  return (request: ScriptedRequest) => {
    if (isProposalRequest(request))
      return { text: proposalOf(PROPOSALS[proposed++] ?? promptOf(`a b c p q ${proposed}`)) };
    const isCold = request.body.temperature === 0.2;
    return { text: itemAnswer(request, (item) => isCold && 'r s x c'.includes(item)) };
  };
}

test('a strategy and a parameter search are selected in the form, and the result names the parameters', async ({
  page,
  app,
}) => {
  test.setTimeout(180_000);
  const api = openApi(app.address);
  const provider = await startScriptedProvider(scripted());
  try {
    const id = await createTuned(
      api,
      { name: 'strategist', baseUrl: provider.baseUrl },
      {
        name: 'Compared items',
        prompts: { generate: promptOf('nothing') },
        maxIterations: 4,
        convergence: null,
        tune: { minibatchSize: 3, maxRepeats: 1 },
      },
    );
    await page.goto(`/experiments/${id}/edit`);
    await openPart(page, 'Tuning');
    const strategy = page.getByLabel('Strategy', { exact: true });
    await expect(strategy).toHaveAccessibleDescription(/Source: GEPA/);
    await strategy.selectOption({ label: 'pairwise comparison (Feedback Descent)' });
    await expect(strategy).toHaveAccessibleDescription(/a judge compares both directly/);
    await page.getByRole('button', { name: 'Add alternative model' }).click();
    await page.getByLabel('Alternative provider').selectOption('strategist');
    await page.getByLabel('Alternative model', { exact: true }).fill('scripted-2');
    const temperatures = page.getByLabel('Alternative temperatures');
    await temperatures.fill('0.2, 3');
    await page.getByRole('button', { name: 'Save new version' }).click();
    await expect(temperatures).toHaveAccessibleDescription(/from 0 to 2, got 3/);
    await temperatures.fill('0.2');
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.waitForURL((url) => url.pathname === `/experiments/${id}`);
    const { settings } = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${id}`);
    expect(settings.tune).toMatchObject({
      strategy: 'pairwise',
      parameters: { models: [{ provider: 'strategist', model: 'scripted-2' }], temperatures: [0.2] },
    });

    const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, { cases: CASES });
    const runId = started.runIds[0] ?? '';
    await api.waitForRun(runId, ['finished'], 60_000);
    await page.goto(`/runs/${runId}`);
    const lineage = page.getByTestId('lineage');
    await expect(lineage.getByRole('row', { name: /v1.*model strategist\/scripted-2/ })).toBeVisible();
    await expect(page.getByTestId('outcome')).toContainText(/v\d was evaluated with temperature 0.2\./);
    await expect(page.getByLabel('Prompt library')).toContainText('was evaluated with temperature 0.2');
    const models = new Set(provider.calls.map(({ model }) => model));
    expect(models).toEqual(new Set(['scripted-1', 'scripted-2']));
    expect(await excessWidth(page)).toBe(0);
    expect(await violationsInBothThemes(page)).toEqual([]);
  } finally {
    await provider.stop();
  }
});
