import type { APIRequestContext, Page } from '@playwright/test';
import { experimentsSchema } from '#lib/api/experiments-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Creates a dataset of one case and opens its case in the editor of messages. */
async function openMessages(page: Page, request: APIRequestContext, name: string, input: string) {
  const dataset = await (await request.post('/api/v1/datasets', { data: { name, cases: [{ input }] } })).json();
  await page.goto(`/datasets/${dataset.id}`);
  await page.getByRole('button', { name: 'Edit case 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Use messages and files' }).click();
  return { datasetId: String(dataset.id), dialog };
}

test('a file stays with its message when an earlier one is removed during the upload', async ({ page, request }) => {
  const { dialog } = await openMessages(page, request, 'Uploads', 'Hello');
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await dialog.getByLabel('Role of message 2').selectOption('user');
  await dialog.getByLabel('Text of message 2').fill('What is shown?');
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await dialog.getByLabel('Role of message 3').selectOption('user');
  await dialog.getByLabel('Text of message 3').fill('Thank you');
  const upload = Promise.withResolvers<void>();
  await page.route('**/api/v1/files?*', async (route) => {
    await upload.promise;
    await route.continue();
  });
  const file = { name: 'pixel.png', mimeType: 'image/png', buffer: PNG };
  await dialog.getByLabel('File for message 2').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Remove message 1' }).click();
  await expect(dialog.getByLabel('Text of message 1')).toHaveValue('What is shown?');
  upload.resolve();
  const rows = dialog.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(rows.first().getByRole('button', { name: 'Enlarge pixel.png' })).toBeVisible();
  await expect(rows.last().getByRole('button', { name: 'Enlarge pixel.png' })).toBeHidden();
});

test('creates a conversation with an image in a dataset, runs it, and shows it with the run', async ({
  page,
  request,
}) => {
  const { datasetId, dialog } = await openMessages(page, request, 'Chats', 'What is this?');
  await expect(dialog.getByLabel('Text of message 1')).toHaveValue('What is this?');
  // Text typed during the upload is kept.
  const upload = Promise.withResolvers<void>();
  await page.route('**/api/v1/files?*', async (route) => {
    await upload.promise;
    await route.continue();
  });
  await dialog
    .getByLabel('File for message 1')
    .setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: PNG });
  await dialog.getByLabel('Text of message 1').fill('What is shown?');
  upload.resolve();
  await expect(dialog.getByRole('button', { name: 'Enlarge pixel.png' })).toBeVisible();
  await expect(dialog.getByLabel('Text of message 1')).toHaveValue('What is shown?');
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await expect(dialog.getByLabel('Role of message 2')).toHaveValue('assistant');
  await dialog.getByLabel('Text of message 2').fill('A pixel.');
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await dialog.getByLabel('Text of message 3').fill('In which colour?');
  await dialog.getByRole('button', { name: 'Save case' }).click();
  await expect(page.getByTestId('cases').getByRole('list', { name: 'Messages' })).toContainText('In which colour?');

  // Editing other fields keeps the messages unchanged.
  await page.getByRole('button', { name: 'Edit case 1' }).click();
  await dialog.getByLabel('Tags').fill('images');
  await dialog.getByRole('button', { name: 'Save case' }).click();
  await expect(page.getByTestId('cases')).toContainText('images');

  const experiment = await (
    await request.post('/api/v1/experiments', {
      data: {
        name: 'Looks at images',
        mode: 'revise',
        generator: { provider: 'practice', model: 'practice-1' },
        criteria: [{ name: 'clarity', evaluator: 'llm' }],
        prompts: { generate: '{{role "system"}}\nBe brief.\n{{history}}' },
        maxIterations: 1,
      },
    })
  ).json();
  const started = await (
    await request.post(`/api/v1/experiments/${experiment.id}/runs`, { data: { datasetId } })
  ).json();
  await page.goto(`/runs/${started.runIds[0]}`);
  const task = page.getByTestId('task');
  await expect(task.getByRole('listitem')).toHaveCount(3);
  const image = task.getByRole('img', { name: 'pixel.png' });
  await expect(image).toBeVisible();
  expect(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
  await task.getByRole('button', { name: 'Enlarge pixel.png' }).click();
  await expect(page.getByRole('dialog', { name: 'pixel.png' })).toBeVisible();
});

/** Responds with the roles and number of images received, or with scores if the prompt has criteria. */
function viewer({ body, messages, prompt }: ScriptedRequest) {
  const images = JSON.stringify(body.messages).split('data:image/png;base64,').length - 1;
  if (!prompt.includes('<criteria>'))
    return { text: `${messages.map(({ role }) => role).join(' ')}, images: ${images}` };
  const judged = { name: 'task_done', score: 1, reason: 'Seen.', issues: [], suggestions: [] };
  return { text: JSON.stringify({ criteria: [judged], confidence: 0.9 }) };
}

test('previews and runs a typed conversation with an image from the form, and reruns it from the experiment', async ({
  app,
  page,
}) => {
  const provider = await startScriptedProvider(viewer);
  try {
    const api = openApi(app.address);
    await createProvider(api, { name: 'viewer', baseUrl: provider.baseUrl });
    await page.goto('/experiments/new');
    await expect(async () => {
      await page.getByLabel('Prompt', { exact: true }).fill('{{role "system"}}\nBe brief.\n{{history}}');
      await expect(page.getByLabel('Name', { exact: true }).first()).toHaveAttribute('placeholder', /Be brief/, {
        timeout: 1_000,
      });
    }).toPass();
    await page.getByLabel('Name', { exact: true }).first().fill('Typed images');
    await page.getByLabel('Provider', { exact: true }).selectOption('viewer');
    await page.getByLabel('Model', { exact: true }).fill('scripted-1');
    await page.getByLabel('Input', { exact: true }).fill('What is this?');

    await page.getByRole('button', { name: 'Use messages and files' }).click();
    const input = page.getByRole('region', { name: 'Input' });
    const text = (number: number) => input.getByLabel(`Text of message ${number}`);
    await expect(text(1)).toHaveValue('What is this?');
    await text(1).fill('');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(input.getByRole('alert')).toHaveText('Input must not be empty');
    await text(1).fill('What is this?');
    await input.getByLabel('File for message 1').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PNG });
    await expect(page.getByRole('button', { name: 'Enlarge dot.png' })).toBeVisible();
    await input.getByRole('button', { name: 'Add message' }).click();
    await text(2).fill('A pixel.');
    await input.getByRole('button', { name: 'Add message' }).click();
    await text(3).fill('In which colour?');

    const seen = 'system user assistant user, images: 1';
    const preview = page.getByTestId('answer-preview');
    await preview.getByRole('button', { name: 'Preview' }).click();
    await expect(preview).toContainText(seen);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/runs\//);
    await expect(page.getByTestId('run-status')).toContainText('✓', { timeout: 30_000 });
    await expect(page.getByTestId('task').getByRole('listitem')).toHaveCount(3);
    await expect(page.getByTestId('task').getByRole('img', { name: 'dot.png' })).toBeVisible();
    await expect(page.getByText(seen).first()).toBeVisible();

    const { items } = await api.read(experimentsSchema, 'GET', '/api/v1/experiments');
    await page.goto(`/experiments/${items.find(({ name }) => name === 'Typed images')?.id}`);
    await page.getByRole('button', { name: 'Run a case' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a run' });
    await dialog.getByRole('button', { name: 'Use messages and files' }).click();
    await dialog.getByLabel('Text of message 1').fill('And this?');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/runs\//);
    await expect(page.getByText('system user, images: 0').first()).toBeVisible({ timeout: 30_000 });
  } finally {
    await provider.stop();
  }
});

test('edits tool calls and results in a case and exports them as messages', async ({ page, request }) => {
  const { datasetId, dialog } = await openMessages(page, request, 'Calls', 'Refund order 7.');
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await dialog.getByRole('button', { name: 'Add tool call' }).click();
  await dialog.getByLabel('Tool of call 1').fill('find');
  await dialog.getByLabel('Arguments of call 1').fill('{"order": 7}');
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await dialog.getByLabel('Role of message 3').selectOption('tool');
  await dialog.getByLabel('Text of message 3').fill('Shipped.');
  await dialog.getByLabel('Tool call answered by message 3').selectOption({ label: 'find {"order": 7}' });
  // Renaming the tool renames it in the result.
  await dialog.getByLabel('Tool of call 1').fill('lookup');
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await dialog.getByLabel('Text of message 4').fill('So?');
  // An error of a call is shown once, at its field.
  const callArguments = dialog.getByLabel('Arguments of call 1');
  await callArguments.fill('{"order": ');
  await dialog.getByRole('button', { name: 'Save case' }).click();
  await expect(callArguments).toHaveAccessibleDescription('Arguments of call 1 must be JSON');
  await expect(dialog.getByText('must be JSON')).toHaveCount(1);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await callArguments.fill('{"order": 7}');
  await expect(dialog.getByText('must be JSON')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Save case' }).click();
  await expect(page.getByTestId('cases').getByRole('list', { name: 'Messages' })).toContainText('lookup {"order": 7}');

  // Editing another message keeps the calls.
  await page.getByRole('button', { name: 'Edit case 1' }).click();
  await expect(dialog.getByLabel('Arguments of call 1')).toHaveValue('{"order": 7}');
  await dialog.getByLabel('Text of message 4').fill('And now?');
  await dialog.getByRole('button', { name: 'Save case' }).click();
  await expect(page.getByTestId('cases')).toContainText('And now?');
  const exported = await (await request.get(`/api/v1/datasets/${datasetId}/export?format=jsonl`)).text();
  expect(JSON.parse(exported)).toMatchObject({
    input: [
      { role: 'user', content: 'Refund order 7.' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call-1', tool: 'lookup', arguments: '{"order": 7}' }] },
      { role: 'tool', content: 'Shipped.', tool: 'lookup', toolCallId: 'call-1' },
      { role: 'user', content: 'And now?' },
    ],
  });
});

test('serves a stored file with its type and never as HTML', async ({ request }) => {
  const sent = await request.post('/api/v1/files?name=evil.html', {
    headers: { 'content-type': 'image/png' },
    data: Buffer.from('<script>alert(1)</script>'),
  });
  expect(sent.status()).toBe(201);
  const { id, mediaType } = await sent.json();
  expect(mediaType).toBe('text/plain');
  const headers = (await request.get(`/api/v1/files/${id}`)).headers();
  expect(headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-disposition': expect.stringMatching(/^attachment; filename="evil-[0-9a-f]{8}\.txt"$/),
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
});

test('an import of runs warns about missing files', async ({ page }) => {
  const file = { type: 'file', file: 'e'.repeat(64), mediaType: 'image/png', name: 'lost.png' };
  const input = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, file] }];
  const line = { run: 'elsewhere', case: { id: 'q1', input }, attempt: 1, output: 'A box.', score: 1 };
  await page.goto('/experiments');
  await page.getByRole('link', { name: 'Import runs' }).click();
  await page.getByRole('radio', { name: 'Paste' }).click();
  await page.getByLabel('Lines').fill(JSON.stringify(line));
  await page.getByRole('button', { name: 'Check' }).click();
  const checked = page.getByTestId('checked-import');
  await expect(checked).toContainText('1 file is not stored here');
  await expect(checked.getByRole('list', { name: 'Missing files' })).toHaveText(
    'lost.png (image/png): line 1, case “q1” of run “elsewhere”',
  );
  await page.getByRole('button', { name: 'Import 1 run' }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}/);
});

test('60 messages and 20 images fit a phone screen', async ({ page, request }) => {
  const { id } = await (await request.post('/api/v1/files?name=wide.png', { data: PNG })).json();
  const image = { type: 'file', file: id, mediaType: 'image/png', name: 'wide.png' };
  const long = 'x'.repeat(2_000);
  const input = Array.from({ length: 60 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: at % 2 === 0 && at < 40 ? [{ type: 'text', text: `${at} ${long}` }, image] : `${at} ${long}`,
  }));
  const dataset = await (
    await request.post('/api/v1/datasets', { data: { name: 'Long chat', cases: [{ input }] } })
  ).json();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/datasets/${dataset.id}`);
  await expect(page.getByTestId('cases').getByRole('listitem')).toHaveCount(60);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
});
