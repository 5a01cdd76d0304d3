import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSdkPackage } from '#lib/api/sdk-packages.ts';
import { Hone } from '../sdk/typescript/src/index.ts';
import { expect, setDefaultModel, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';

/** Returns the output of an app, which depends on the text of its component. */
function answer(input: string, rules: string | undefined): string {
  return rules?.includes('shout') ? input.toUpperCase() : input;
}

test('an app connects through the SDK, is tested, run and scored', async ({ page, app }) => {
  await setDefaultModel(app.address, { provider: 'practice', model: 'practice-1' });
  const stop = new AbortController();
  await page.goto('/targets');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('shouter');
  await expect(page.getByText('Waiting for shouter to connect')).toBeVisible();
  const worker = new Hone({ url: app.address }).target(
    'shouter',
    ({ case: { input }, components }) => ({ output: answer(input, components.rules), score: 0.9, trace: ['thought'] }),
    { components: { rules: { text: 'You shout.' } }, signal: stop.signal, stopOnSignals: false },
  );

  await expect(page.getByText('✓ shouter is connected.')).toBeVisible();
  const section = page.getByTestId('target-shouter');
  await page.getByRole('button', { name: 'Test it' }).click();
  await expect(section.locator('summary').first()).toBeFocused();
  await expect(section.locator('summary').first()).toContainText('connects to Hone · 1 component · not used yet');
  await expect(section.locator('summary').first()).toContainText('✓ connected');
  await section.locator('summary').first().click();
  await expect(section.getByLabel('Input of a test case')).toBeHidden();
  await page.getByRole('button', { name: 'Test it' }).click();
  // Too long for a URL once percent-encoded.
  const input = `hello ${'字'.repeat(2_000)}`;
  await section.getByLabel('Input of a test case').fill(input);
  await section.getByRole('button', { name: 'Send test case' }).click();
  await expect(section.getByRole('status')).toContainText('✓ The target responded.');
  await expect(section.getByRole('status')).toContainText('HELLO');
  await expect(section.getByRole('status')).toContainText('its own score: 0.90');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });

  await section.getByRole('link', { name: 'Create an experiment' }).click();
  await expect(page.getByLabel('Outputs from')).toHaveValue('shouter');
  await expect(page.getByLabel('rules')).toHaveValue('You shout.');
  await expect(page.getByLabel('Prompt', { exact: true })).toHaveCount(0);
  await expect(page.getByPlaceholder('shouter, revise')).toHaveValue('');
  await expect(page.getByLabel('Input', { exact: true })).toHaveValue(input);
  expect(page.url()).not.toContain('input');
  await page.getByLabel('Input', { exact: true }).fill('good morning');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/runs\//);
  await expect(page.getByText('GOOD MORNING').first()).toBeVisible();
  await expect(page.getByText('shouter').first()).toBeVisible();

  await page.goto('/targets');
  await expect(page.getByTestId('target-shouter').locator('summary').first()).toContainText('used by 1 experiment');

  // Opening the form in a new tab leaves the passed input stored in this tab. A form without that target must not use it.
  await page.goto('/targets?target=shouter');
  await section.getByRole('button', { name: 'Send test case' }).click();
  const opened = page.context().waitForEvent('page');
  await section.getByRole('link', { name: 'Create an experiment' }).click({ modifiers: ['ControlOrMeta'] });
  await (await opened).close();
  await page.goto('/experiments/new');
  await page.getByLabel('Outputs from').selectOption('shouter');
  await expect(page.getByLabel('rules')).toHaveValue('You shout.');
  await expect(page.getByLabel('Input', { exact: true })).toHaveValue('');

  await page.goto('/targets');
  await expect(page.getByTestId('target-shouter').locator('summary').first()).toContainText('✓ connected');
  stop.abort();
  await worker;
  await expect(page.getByTestId('target-shouter').locator('summary').first()).toContainText('not connected');
  await page.goto('/experiments/new?target=shouter');
  await expect(page.getByLabel('Outputs from').locator('option:checked')).toHaveText('shouter (not connected)');
  await expect(page.getByText('Your app is not connected. Runs wait until you start it.')).toBeVisible();
});

test('keeps name and language after a visit to the docs', async ({ page, app }) => {
  await page.goto('/targets');
  await expect(async () => {
    await page.getByRole('radio', { name: 'Python' }).click();
    await expect(page.getByText(`pip install ${app.address}/sdk/hone-sdk.tar.gz`)).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('ticket-sorter');
  await expect(page.getByText('Hone().target("ticket-sorter"')).toBeVisible();
  await expect(page).toHaveURL(/name=ticket-sorter/);
  await page.getByRole('link', { name: 'More about components' }).click();
  await expect(page).toHaveURL(/connect-your-app/);
  await page.goBack();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('ticket-sorter');
  await expect(page.getByRole('radio', { name: 'Python' })).toBeChecked();
  const name = "x',()=>1);fetch('https://evil.example/')//";
  await page.goto(`/targets?name=${encodeURIComponent(name)}`);
  await expect(page.getByText('must be made of letters, digits')).toBeVisible();
  await expect(page.getByText('new Hone().target("my-app"')).toBeVisible();
});

test('reports a target connected under another name', async ({ page, app }) => {
  const stop = new AbortController();
  await page.goto('/targets');
  await expect(page.getByText('Waiting for my-app to connect')).toBeVisible();
  const worker = new Hone({ url: app.address }).target('sorter-of-tickets', () => 'spam', {
    signal: stop.signal,
    stopOnSignals: false,
    quiet: true,
  });
  await expect(page.getByText('✓ sorter-of-tickets is connected.')).toBeVisible();
  stop.abort();
  await worker;
});

test('serves the SDK packages', async ({ app }) => {
  for (const file of ['hone-sdk.tgz', 'hone-sdk.tar.gz']) {
    const response = await fetch(`${app.address}/sdk/${file}`);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(Buffer.from((await readSdkPackage(file)) ?? ''))).toBe(true);
  }
  expect((await fetch(`${app.address}/sdk/constructor`)).status).toBe(404);
});

test('a target URL is added, rejected and deleted with clear messages', async ({ page, expectConsole }) => {
  const server = createServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"out of memory"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/run`;
  await page.goto('/targets');
  await expect(async () => {
    await page.getByRole('radio', { name: 'HTTP' }).click();
    await expect(page.getByPlaceholder('http://127.0.0.1:8000/api/run')).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
  await page.getByRole('button', { name: 'Add target' }).click();
  await expect(page.getByText('must be made of letters, digits').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('my app');
  await page.getByPlaceholder('http://127.0.0.1:8000/api/run').fill('ftp://nowhere');
  await page.getByRole('textbox', { name: 'Secret', exact: true }).fill('short');
  await page.getByRole('button', { name: 'Add target' }).click();
  await expect(page.getByText('must be an address that begins with http')).toBeVisible();
  await expect(page.getByText('must be made of letters, digits')).toBeVisible();
  await expect(page.getByText('must be 16 to 200 characters long')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('service');
  await page.getByPlaceholder('http://127.0.0.1:8000/api/run').fill(url);
  await page.getByRole('textbox', { name: 'Secret', exact: true }).fill('');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Sort mail.\nAnswer in one word.');
  await page.getByRole('button', { name: 'Add another component' }).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).last().fill('Buy now: spam');
  await page.getByRole('button', { name: 'Add target' }).click();
  await expect(page.getByText('Component must not be empty', { exact: true }).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Component', exact: true }).last().fill('system_prompt');
  await page.getByRole('button', { name: 'Add target' }).click();
  await expect(page.getByText('Component must be unique', { exact: true }).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Component', exact: true }).last().fill('examples');
  await page.getByRole('button', { name: 'Add target' }).click();

  const section = page.getByTestId('target-service');
  await expect(page.getByText('Added service', { exact: true })).toBeVisible();
  await expect(section.locator('summary').first()).toBeFocused();
  await expect(section.locator('summary').first()).toBeInViewport();
  await expect(section.getByText('Sort mail.\nAnswer in one word.')).toBeVisible();
  await expect(section.getByText('Buy now: spam')).toBeVisible();
  await section.getByRole('button', { name: 'Send test case' }).click();
  await expect(section.getByRole('alert')).toContainText(
    'The target "service" responded with HTTP 500: out of memory',
    {
      timeout: 30_000,
    },
  );
  await section.getByLabel('Timeout (seconds)').fill('0');
  expectConsole(/ERR_FAILED/);
  await page.route('**/api/v1/targets/service', (route) => route.abort());
  await section.getByRole('button', { name: 'Save settings' }).click();
  await expect(section.getByText('Hone did not respond. Nothing was saved.')).toBeVisible();
  await page.unroute('**/api/v1/targets/service');
  await section.getByRole('button', { name: 'Save settings' }).click();
  await expect(section.getByText('must be from 1 to 86400 seconds')).toBeVisible();
  await section.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByTestId('target-service')).toHaveCount(0);
  await new Promise((resolve) => server.close(resolve));
});
