import { startedSchema } from '#lib/api/experiments-schema.ts';
import { runSchema } from '#lib/api/runs-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { clickUntil } from './press-until.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';
import { casesOf, createTuned, isProposalRequest, proposalOf } from './tuned-experiment.ts';

const FIRST = 'Sort the mail.\nThe mail: {{input}}';
const USEFUL = 'A refund is a payment, whatever the mail calls it.';
const USELESS = 'Please be very polite in everything that you do.';
const BETTER = `Sort the mail.\n${USEFUL}\n${USELESS}\nThe mail: {{input}}`;
const numbered = (split: string, count: number) =>
  casesOf(
    split,
    Array.from({ length: count }, (_, at) => `${split} ${at}`),
    'payment',
  );
const CASES = [...numbered('train', 4), ...numbered('validation', 12), ...numbered('held_out', 2)];

/** A scripted model that answers correctly only if its prompt contains the useful line. */
function answer(request: ScriptedRequest) {
  if (isProposalRequest(request)) return { text: proposalOf(BETTER) };
  return { text: request.prompt.includes(USEFUL) ? 'payment' : 'other' };
}

test('measures the contribution of each change of the winning prompt and removes a useless line for a new run', async ({
  page,
  app,
  expectConsole,
}) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const provider = await startScriptedProvider(answer);
  try {
    const id = await createTuned(
      api,
      { name: 'ablated', baseUrl: provider.baseUrl },
      { name: 'Refunds', prompts: { generate: FIRST }, maxIterations: 1, tune: { maxRepeats: 1 } },
    );
    const { runIds } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, { cases: CASES });
    const [runId = ''] = runIds;
    const ended = await api.waitForRun(runId, ['finished'], 60_000);
    expect(ended.finalVersion).toBe(1);

    await page.goto(`/runs/${runId}`);
    const pane = page.getByTestId('ablation');
    await expect(pane).toContainText('2 changes from v0 to v1 can be measured');
    const dialog = page.getByRole('dialog', { name: 'Measure what each change contributed' });
    await clickUntil(pane.getByRole('button', { name: 'Measure what each change contributed' }), dialog);
    await expect(dialog.getByTestId('ablation-price')).toHaveText(
      '3 prompts on 12 of 12 validation cases: 36 tries, 36 calls, cost unknown.',
    );
    await dialog.getByLabel('Try limit').fill('20');
    await expect(dialog.getByTestId('ablation-price')).toHaveText('Enter at least 21 tries.');
    await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
    await expect(dialog.getByLabel('Try limit')).toHaveAccessibleDescription(/At least 21 tries are needed/);
    await dialog.getByLabel('Try limit').fill('23');
    await expect(dialog.getByTestId('ablation-price')).toContainText('3 prompts on 7 of 12 validation cases');
    await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(pane.getByRole('status')).toContainText('Measured: 21 tries on 7 cases', { timeout: 30_000 });
    const rows = pane.getByTestId('contributions').getByRole('row');
    await expect(rows.nth(1)).toContainText('Helps');
    await expect(rows.nth(2)).toContainText('Not enough evidence');

    // Continues with the remaining cases.
    await pane.getByRole('button', { name: 'Measure on more cases' }).click();
    await expect(dialog.getByTestId('ablation-price')).toContainText('15 tries more');
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('Could not measure');
    await page.context().setOffline(false);
    const held = Promise.withResolvers<void>();
    provider.setScript(async (request) => {
      await held.promise;
      return answer(request);
    });
    await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
    await expect(pane.getByRole('status')).toContainText('Measuring: 21 of at most 36 tries');

    // Another client stops the measurement first. Updates are blocked, so the page still shows the button.
    await page.route('**/api/v1/runs/*/ablation', () => {});
    await api.call('POST', `/api/v1/runs/${runId}/ablation/stop`);
    await page.unroute('**/api/v1/runs/*/ablation');
    await pane.getByRole('button', { name: 'Stop measuring' }).click();
    await expect(page.getByText('No measurement is under way.', { exact: true })).toBeVisible();
    await expect(pane.getByRole('status')).toContainText('Stopped: 21 tries on 7 cases');
    held.resolve();
    await pane.getByRole('button', { name: 'Measure on more cases' }).click();
    await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
    await expect(pane.getByRole('status')).toContainText('Measured: 36 tries on 12 cases', { timeout: 30_000 });
    await expect(rows.nth(1)).toContainText(USEFUL);
    await expect(rows.nth(1)).toContainText('Helps');
    await expect(rows.nth(1)).toContainText('+1.00');
    await expect(rows.nth(2)).toContainText(USELESS);
    await expect(rows.nth(2)).toContainText('No difference');
    await expect(pane).toContainText('p is adjusted for 2 comparisons (Holm)');
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await excessWidth(page)).toBe(0);
    // On a phone, the table fits without horizontal scrolling.
    const frame = pane.locator('[data-slot="scroll-x"]').filter({ has: page.getByTestId('contributions') });
    expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });

    // The run is unchanged, and the measurement survives a reload.
    expect(await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).toEqual(ended);
    await page.reload();
    await expect(pane.getByRole('checkbox', { name: 'Leave out change 1' })).not.toBeChecked();
    await expect(pane.getByRole('checkbox', { name: 'Leave out change 2' })).toBeChecked();
    await pane.getByRole('button', { name: 'Start a run without these lines' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit v1' });
    await expect(edit.getByLabel('First prompt of the new run')).toHaveValue(
      `Sort the mail.\n${USEFUL}\nThe mail: {{input}}`,
    );
    await edit.getByRole('button', { name: 'Start run' }).click();
    await expect(page.getByTestId('branches')).toContainText('Starts with the text of v1');
  } finally {
    await provider.stop();
  }
});
