import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { createdSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { storedFileSchema } from '#lib/files/schema.ts';
import { promptTextSchema } from '#lib/prompts/schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth } from './axe.ts';
import { loadEditor } from './load-editor.ts';
import { type ScriptedRequest, type ScriptedResponse, startScriptedProvider } from './scripted-provider.ts';

const REFUND = {
  name: 'refund',
  description: 'Pays an order back.',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
};

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns an image whose bytes contain an order number. */
function pictureOf(order: number): Buffer {
  return Buffer.concat([PIXEL, Buffer.from(`Order ${order} `)]);
}

/** Returns the text embedded in the images of a request. */
function pictured(body: Record<string, unknown>): string {
  const found = JSON.stringify(body.messages).matchAll(/data:image\/png;base64,([\w+/=]+)/g);
  return [...found].map(([, bytes = '']) => Buffer.from(bytes, 'base64').toString('latin1')).join(' ');
}

/** Calls the offered tool for the order in the last message; otherwise answers in the requested schema or lists the roles received. */
function shop({ messages, body, prompt }: ScriptedRequest): ScriptedResponse {
  const offered = JSON.stringify(body.tools ?? []);
  const order = Number(/Order (\d+)/.exec(`${prompt} ${pictured(body)}`)?.[1]);
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  if (offered.includes('"name":"refund"') && offered.includes('"required":["order"]') && system.includes('shop'))
    return { text: 'One moment.', toolCalls: [['refund', { order }]] };
  if (system.includes('"enum":["refund","other"]')) return { text: JSON.stringify({ label: 'refund', order }) };
  return { text: `Roles: ${messages.map(({ role }) => role).join(', ')}` };
}

test('converts a prompt to messages with tools and a response schema, then runs, saves and compares it', async ({
  app,
  page,
  expectConsole,
}) => {
  // If the test pauses between an error and its fix, the draft with the error is sent.
  expectConsole(/status of 400 .*\/draft\)$/);
  const provider = await startScriptedProvider(shop);
  const api = openApi(app.address);
  await api.call('POST', '/api/v1/providers', { name: 'shops', kind: 'openai-compatible', baseUrl: provider.baseUrl });
  const setup = { models: [{ provider: 'shops', model: 'scripted-1' }] };
  const text = 'You answer for a shop.';
  await api.call('POST', '/api/v1/prompts', { name: 'shop/mail', text, setup });
  await page.goto('/prompts/shop%2Fmail');
  const pane = page.getByTestId('playground');
  const answer = page.getByTestId('typed-answer');
  const run = async (input: string) => {
    await pane.getByLabel('Input').fill(input);
    await pane.getByRole('button', { name: 'Run' }).click();
  };

  await loadEditor(page);
  await page.getByRole('button', { name: 'Use messages', exact: true }).click();
  const messages = page.getByTestId('prompt-text').getByRole('list', { name: 'Messages' });
  await expect(messages.getByRole('listitem')).toHaveCount(2);
  await expect(messages.getByRole('combobox', { name: 'Role of message 1' })).toHaveValue('system');
  await expect(messages.getByRole('textbox', { name: 'Text of message 1' })).toContainText(text);

  // Moves a message and back by keyboard. A validation error shows in between.
  await messages.getByRole('button', { name: 'Move message 2 up' }).press('Enter');
  await expect(page.getByText('A system message comes after another message')).toBeVisible();
  await expect(messages.getByRole('button', { name: 'Move message 1 down' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('A system message comes after another message')).toHaveCount(0);
  await page.getByRole('button', { name: 'Insert {{history}}' }).click();
  await expect(messages.getByRole('listitem')).toHaveCount(3);
  await messages.getByRole('button', { name: 'Remove message 2' }).click();
  await run('Order 7 came broken.');
  await expect(answer).toContainText('Roles: system, user');

  // Errors appear at their fields. The draft is saved once they are fixed.
  const options = page.getByTestId('prompt-options');
  await options.getByText('Tools', { exact: true }).click();
  await options.getByRole('button', { name: 'Add tool' }).click();
  await options.getByLabel('Tool name').fill('re fund');
  await expect(options.getByLabel('Tool name')).toHaveAccessibleDescription(/letters, digits, _ and -/);
  await options.getByLabel('Tool name').fill(REFUND.name);
  await options.getByLabel('Description').fill(REFUND.description);
  const parameters = options.getByRole('textbox', { name: 'Parameters' });
  // The focus replaces the plain text field by the editor, which must not happen between the focus and the input of "fill".
  await parameters.focus();
  await expect(parameters).toHaveAttribute('data-language', 'json');
  await parameters.fill('{"type": "object"');
  await expect(parameters).toHaveAccessibleDescription(/valid JSON object/);
  await parameters.fill(JSON.stringify(REFUND.parameters, null, 2));
  await expect(page.getByText('Draft saved')).toBeVisible();
  await run('Order 7 came broken.');
  const calls = answer.getByRole('list', { name: 'Tool calls' });
  await expect(calls).toContainText('Calls refund');
  await expect(calls).toContainText('"order": 7');
  await expect(answer).toContainText('One moment.');

  await page.reload();
  await expect(messages.getByRole('listitem')).toHaveCount(2);
  await expect(options.getByLabel('Tool name')).toHaveValue('refund');
  await expect(calls).toHaveCount(0);
  await page
    .getByTestId('playground-history')
    .getByRole('button', { name: /^Show run/ })
    .first()
    .click();
  await expect(calls).toContainText('Calls refund');

  // Attaches an image to the typed input. The model receives its bytes.
  await pane.getByRole('button', { name: 'Use messages and files' }).click();
  await pane.getByRole('textbox', { name: 'Text of message 1' }).fill('See the picture.');
  const file = { name: 'box.png', mimeType: 'image/png', buffer: pictureOf(41) };
  await pane.getByLabel('File for message 1').setInputFiles(file);
  await expect(pane.getByRole('button', { name: 'Remove box.png' })).toBeVisible();
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(calls).toContainText('"order": 41');
  await pane.getByRole('button', { name: 'Use text only' }).click();

  await options.getByRole('button', { name: 'Remove tool refund' }).click();
  await options.getByText('Response schema', { exact: true }).click();
  const schema = { type: 'object', properties: { label: { enum: ['refund', 'other'] } }, required: ['label'] };
  await options.getByRole('textbox', { name: 'JSON Schema of the answer' }).fill(JSON.stringify(schema));
  await expect(page.getByText('Draft saved')).toBeVisible();
  await run('Order 8 came broken.');
  await expect(answer).toContainText('"label":"refund"');
  await expect(answer).toContainText('"order":8');

  await page.getByRole('button', { name: 'Save as v2' }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Messages and a schema');
  await page.getByRole('button', { name: 'Save v2' }).click();
  await expect(page.getByTestId('prompt-versions')).toContainText('Messages and a schema');
  expect(await api.read(promptTextSchema, 'GET', '/api/v1/prompts/shop%2Fmail?version=2')).toMatchObject({
    text: `{{role "system"}}\n${text}\n\n{{role "user"}}\n{{input}}`,
    tools: [],
    responseSchema: { name: 'answer', schema },
  });
  await page.getByRole('button', { name: 'Schema answer of version 2' }).click();
  const shown = page.getByRole('dialog', { name: 'Version 2' });
  await expect(shown).toContainText('"label"');
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);
  await page.getByRole('button', { name: 'Use one text' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toContainText('{{role "system"}}');
  await page.getByRole('button', { name: 'Use messages', exact: true }).click();

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await excessWidth(page)).toBe(0);
  await page.goto('/prompts/shop%2Fmail/diff?from=1&to=2');
  await expect(page.getByTestId('version-diff')).toContainText('Response schema');
  expect(await excessWidth(page)).toBe(0);
  await provider.stop();
});

const RULE = 'Refund what came broken.';
const CHAT = '{{role "system"}}\nYou answer for a shop.\n\n{{role "user"}}\n{{input}}';

/** Calls the tool if the system message has the rule. Proposes the rule, the first time without the role lines. */
function tuned({ messages, body, prompt }: ScriptedRequest, proposals: { count: number }): ScriptedResponse {
  if (prompt.includes('<current_prompt>')) {
    proposals.count += 1;
    const rest = prompt.includes('It lost its role lines')
      ? CHAT.replace('shop.', `shop. ${RULE}`)
      : `${RULE} {{input}}`;
    return { text: `The rule is missing.\n~~~~\n${rest}\n~~~~` };
  }
  const order = Number(/Order (\d+)/.exec(pictured(body))?.[1]);
  const [system, user] = messages;
  const hasRule = system?.role === 'system' && system.content.includes(RULE) && user?.role === 'user';
  const isOffered = JSON.stringify(body.tools ?? []).includes('"name":"refund"');
  return hasRule && isOffered ? { text: '', toolCalls: [['refund', { order }]] } : { text: 'Sorry.' };
}

/** Stores a file and returns its id. */
async function stored(address: string, bytes: Buffer): Promise<string> {
  const response = await fetch(`${address}/api/v1/files?name=box.png`, {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array(bytes),
  });
  if (!response.ok) throw new Error(await response.text());
  return storedFileSchema.parse(await response.json()).id;
}

test('tunes a chat prompt with tools over cases with images and keeps its messages', async ({ app, page }) => {
  test.setTimeout(180_000);
  const proposals = { count: 0 };
  const provider = await startScriptedProvider((request) => tuned(request, proposals));
  const api = openApi(app.address);
  await api.call('POST', '/api/v1/providers', { name: 'desks', kind: 'openai-compatible', baseUrl: provider.baseUrl });
  const cases = [];
  for (let order = 1; order <= 12; order++) {
    const file = await stored(app.address, pictureOf(order));
    const picture = { type: 'file', file, mediaType: 'image/png', name: 'box.png' };
    cases.push({
      input: [{ role: 'user', content: [{ type: 'text', text: `Broken, see picture ${order}.` }, picture] }],
      reference: JSON.stringify([{ name: 'refund', arguments: { order } }]),
    });
  }
  const { id: datasetId } = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name: 'Broken', cases });
  const { id } = await api.read(createdSchema, 'POST', '/api/v1/experiments', {
    name: 'Tune the desk',
    mode: 'tune',
    generator: { provider: 'desks', model: 'scripted-1', tools: [REFUND] },
    prompts: { generate: CHAT },
    criteria: [{ name: 'calls', evaluator: 'reference', config: { match: 'tool_calls' } }],
    maxIterations: 3,
    // One proposal at a time, because the scripted model drops the roles in its first proposal.
    tune: { proposalsAtOnce: 1 },
    lessons: { store: 'none', write: 'off' },
  });
  const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, { datasetId });
  const [runId = ''] = started.runIds;
  const run = await api.waitForRun(runId, ['finished'], 120_000);
  const best = run.versions.find(({ number }) => number === run.bestVersion);
  expect(best?.output).toBe(CHAT.replace('shop.', `shop. ${RULE}`));
  expect(run.versions[1]?.proposal?.problems).toMatchObject([{ kind: 'changed_roles' }]);

  await page.goto(`/runs/${runId}?v=1`);
  await expect(page.getByTestId('run-status')).toContainText(/./);
  await expect(page.getByText('It lost its role lines. The messages must be: system, user.').first()).toBeVisible();
  await page.getByTestId('case-table').getByRole('button').first().click();
  await expect(page.getByTestId('case-pane')).toContainText('refund');
  await expect(page.getByTestId('case-pane').getByRole('img').first()).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await excessWidth(page)).toBe(0);
  await provider.stop();
});
