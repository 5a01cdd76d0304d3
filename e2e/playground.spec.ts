import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, setDefaultModel, test, whole } from './app.ts';
import { countClicks } from './count-clicks.ts';
import { loadEditor, loadedEditor } from './load-editor.ts';
import { clickUntil } from './press-until.ts';
import { type ScriptedRequest, type ScriptedResponse, startScriptedProvider } from './scripted-provider.ts';

const RIGHT: Record<string, string> = {
  'Refund fails with E402': 'bug',
  'Please change our address': 'billing',
  'Add a second admin': 'account',
  'Invoice shows the wrong tax': 'billing',
};
const RULE = 'Words decide, not money.';

/** Sorts every mail correctly if the prompt contains the rule; otherwise returns "billing". */
function sorter({ prompt }: ScriptedRequest): ScriptedResponse {
  const mail = Object.keys(RIGHT).find((one) => prompt.includes(one)) ?? '';
  return { text: prompt.includes(RULE) ? (RIGHT[mail] ?? '') : 'billing' };
}

test('a prompt is edited, its draft evaluated with streamed outputs, inspected by case, and saved as a version', async ({
  app,
  page,
}) => {
  const provider = await startScriptedProvider(sorter);
  const { call, read } = openApi(app.address);
  await call('POST', '/api/v1/providers', { name: 'sorters', kind: 'openai-compatible', baseUrl: provider.baseUrl });
  const { id: datasetId } = await read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Mail',
    cases: Object.entries(RIGHT).map(([input, reference], index) => ({
      input,
      reference,
      tags: [index === 3 ? 'held_out' : 'train'],
    })),
  });
  const setup = {
    datasetId,
    models: [{ provider: 'sorters', model: 'sorter' }],
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
  };
  const text = 'Sort this mail.\nMail: {{input}}';
  await call('POST', '/api/v1/prompts', { name: 'desk/triage', text, setup });
  await call('PUT', '/api/v1/prompts/desk%2Ftriage/labels/production', { version: 1 });

  await page.goto('/prompts/desk%2Ftriage');
  const evaluation = page.getByTestId('evaluation');
  const editor = page.getByRole('textbox', { name: 'Prompt' });
  await loadEditor(page);
  await expect(evaluation).toContainText('To run: 3 calls.');
  await editor.fill(`${text}\n{{metadata.tone}}`);
  await expect(page.getByText('{{metadata.tone}} is missing in all 4 cases')).toBeVisible();
  await editor.fill(`${RULE}\n${text}`);
  await expect(page.getByText('Available in all 4 cases')).toBeVisible();
  await expect(page.getByText('Draft saved')).toBeVisible();
  await page.reload();
  await expect(await loadEditor(page)).toContainText(RULE);
  await expect(evaluation).toContainText('To run: 6 calls.');

  // Streamed text is visible, and stopping aborts all calls.
  provider.setScript(() => ({ text: 'Let me think about this mail. '.repeat(60), pieceDelayMs: 200 }));
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('[data-state="writing"]').first()).toContainText('Let me think');
  await evaluation.getByRole('button', { name: 'Stop' }).click();
  await expect(evaluation).toContainText('Stopped. Finished answers are saved. To run: 6 calls.');
  await expect.poll(() => provider.open().now).toBe(0);

  provider.setScript(sorter);
  const before = provider.calls.length;
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(evaluation).toContainText('3 of 3 right, v1: 1.');
  await expect(evaluation).toContainText('Within noise.');
  await expect(evaluation).toContainText('2 fixed, 0 broken, McNemar p = 0.50.');
  expect(provider.calls.length - before).toBe(6);
  await page.getByRole('button', { name: 'Refund fails with E402' }).click();
  const shown = page.getByTestId('evaluated-case');
  await expect(shown).toContainText('fixed by your edit');
  await expect(shown.getByTestId('diff')).toContainText('billing');
  await evaluation.getByRole('radio', { name: 'fixed' }).click();
  // Two cases, and the details of the selected one.
  await expect(page.getByRole('table', { name: 'Answers by case' }).locator('tbody tr')).toHaveCount(3);
  await page.getByRole('button', { name: 'Evaluate: 2 calls' }).click();
  await expect(page.getByTestId('held-out')).toContainText('1 of 1 right, v1: 1.');

  // The second of two windows shows a conflict and lets the user choose.
  const other = whole(await page.context().newPage());
  await other.goto(`${app.address}/prompts/desk%2Ftriage`);
  await expect(await loadEditor(other)).toContainText(RULE);
  await editor.fill(`${RULE} Always.\n${text}`);
  await expect(page.getByText('Draft saved')).toBeVisible();
  await other.getByRole('textbox', { name: 'Prompt' }).fill('Mine: {{input}}');
  await expect(other.getByText('The draft was changed in another window')).toBeVisible();
  await other.getByRole('button', { name: 'Use other draft' }).click();
  await expect(loadedEditor(other)).toContainText('Always.');
  await other.close();

  await editor.fill(`${RULE}\n${text}`);
  await page.getByRole('button', { name: 'Save as v2' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('A rule');
  await page.getByRole('button', { name: 'Save v2' }).click();
  await expect(page.getByTestId('prompt-versions')).toContainText('A rule');
  await expect(page.getByRole('button', { name: 'Save as v3' })).toBeDisabled();
  await page.reload();
  await expect(evaluation).toContainText('3 of 3 right, v1: 1.');
  await expect(evaluation).toContainText('All answers are saved. Running again costs nothing.');
  expect(provider.calls.length - before).toBe(8);
  await provider.stop();
});

/** Responds depending on the prompt: a word in capitals, or the requested tone. */
function shouter({ prompt }: ScriptedRequest): ScriptedResponse {
  const [, word = 'nothing'] = /Word: (.*)/.exec(prompt) ?? [];
  return { text: prompt.includes('capitals') ? word.toUpperCase() : `${word} it is`, inputTokens: 20, outputTokens: 4 };
}

test('cases that cannot be scored are named and skipped, and the scores are for the others', async ({ app, page }) => {
  const { call, read } = openApi(app.address);
  const { id: datasetId } = await read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'With a gap',
    cases: [
      { input: 'What is 1 + 4?', reference: '5', tags: ['train'] },
      { input: 'What is 2 + 4?', tags: ['train'] },
    ],
  });
  const setup = {
    datasetId,
    models: [{ provider: 'practice', model: 'practice-1' }],
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
  };
  await call('POST', '/api/v1/prompts', { name: 'gaps', text: 'Answer: {{input}}', setup });
  await page.goto('/prompts/gaps');
  const evaluation = page.getByTestId('evaluation');
  await expect(evaluation).toContainText('1 case cannot be scored and is skipped');
  await expect(evaluation).toContainText('has no reference, and "exact" can score no version without one: case 2');
  await expect(evaluation).toContainText('To run: 1 call.');
  await evaluation.getByRole('button', { name: 'Run' }).click();
  await expect(evaluation).toContainText('1 call made');
  await expect(evaluation).toContainText('For the 1 case of 2 with scores for both.');
  await expect(page.getByRole('row', { name: /What is 2 \+ 4/ })).toContainText('skipped');
});

test('a new prompt is run on typed input, stopped, checked, shown again and saved', async ({ app, page }) => {
  const provider = await startScriptedProvider(shouter);
  const { call } = openApi(app.address);
  await call('POST', '/api/v1/providers', { name: 'shouters', kind: 'openai-compatible', baseUrl: provider.baseUrl });
  await call('PATCH', '/api/v1/default-models', { generator: { provider: 'shouters', model: 'scripted-1' } });
  const clicks = await countClicks(page);
  await page.goto('/prompts/new');
  const pane = page.getByTestId('playground');
  const answers = page.getByTestId('typed-answer');
  await loadEditor(page);
  await page.getByRole('textbox', { name: 'Prompt' }).click();
  await page.keyboard.insertText('Write the word in capitals.\nWord: {{input}}');
  await pane.getByLabel('Input').click();
  await page.keyboard.insertText('zeppelin');
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(answers).toContainText('ZEPPELIN');
  expect(await clicks()).toBeLessThanOrEqual(3);
  await expect(answers).toContainText('24 tokens');
  await expect(answers).toContainText(/\d ms|\d s/);
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);

  // No paid call is made without an input.
  const paid = provider.calls.length;
  await pane.getByLabel('Input').fill('');
  await pane.getByLabel('Input').press('ControlOrMeta+Enter');
  await expect(pane).toContainText('Enter an input or a message.');
  await expect(pane.getByLabel('Input')).toBeFocused();
  expect(provider.calls.length).toBe(paid);

  // Several cases side by side, with a variable in another tool's syntax.
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Say it {{tone}}.\nWord: {{input}}');
  await pane.getByRole('button', { name: 'Use {{metadata.tone}}' }).click();
  await pane.getByRole('button', { name: 'Add case' }).click();
  await pane.getByLabel('Input').first().fill('balloon');
  await pane.getByLabel('Input').last().fill('kite');
  await pane.getByLabel('tone').last().fill('in capitals');
  await pane.getByLabel('tone').last().press('ControlOrMeta+Enter');
  await expect(answers.first()).toContainText('balloon it is');
  await expect(answers.last()).toContainText('KITE');

  // Each streamed word appears once. Stopping keeps the text so far and aborts all calls.
  provider.setScript(() => ({ text: Array.from({ length: 200 }, (_, at) => `w${at}`).join(' '), pieceDelayMs: 150 }));
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(answers.first()).toContainText('w0 w1 w2 w3');
  await pane.getByRole('button', { name: 'Stop' }).click();
  await expect(answers.first()).toContainText('Stopped');
  await expect(answers.first()).toContainText(/^w0 w1 w2 w3/);
  await expect.poll(() => provider.open().now).toBe(0);

  // A rejected key is shown next to the output, with a remedy.
  provider.setScript(() => ({ status: 401, body: { error: { message: 'Incorrect API key provided.' } } }));
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(answers.first().getByRole('alert')).toContainText('key');
  await expect(pane.getByRole('button', { name: 'Run' })).toBeEnabled();

  provider.setScript(shouter);
  await pane.getByRole('button', { name: 'Remove case 1' }).click();
  await pane.getByRole('button', { name: 'Add check' }).click();
  await pane.getByLabel('Name', { exact: true }).fill('exact');
  await pane.getByLabel('Scored by', { exact: true }).selectOption('reference');
  await pane.getByLabel('Reference', { exact: true }).first().fill('KITE');
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(answers).toContainText('passed');
  const history = page.getByTestId('playground-history');
  await expect(history.getByRole('listitem').first()).toContainText('KITE');

  await page.getByRole('button', { name: 'Save prompt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save prompt' });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Name').fill('words/shout');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/prompts/words%2Fshout');

  // The page of the saved prompt continues with the state of the new one.
  await expect(pane.getByLabel('Input').first()).toHaveValue('kite');
  await history.getByRole('button', { name: 'Show run: ZEPPELIN' }).click();
  await expect(answers).toContainText('ZEPPELIN');
  await expect(pane.getByLabel('Input').first()).toHaveValue('zeppelin');
  await history.getByRole('button', { name: 'Use prompt' }).last().click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toContainText('Write the word in capitals.');
  await page.reload();
  await expect(history.getByRole('listitem').first()).toContainText('KITE');
  await setDefaultModel(app.address, { provider: 'practice', model: 'practice-1' });
  await provider.stop();
});

test('a saved prompt leads to its criteria, and stays compared with the version before it', async ({ app, page }) => {
  const provider = await startScriptedProvider(sorter);
  const { call, read } = openApi(app.address);
  await call('POST', '/api/v1/providers', { name: 'leading', kind: 'openai-compatible', baseUrl: provider.baseUrl });
  const { id: datasetId } = await read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Led mail',
    cases: Object.entries(RIGHT).map(([input, reference]) => ({ input, reference, tags: ['train'] })),
  });
  const setup = { datasetId, models: [{ provider: 'leading', model: 'sorter' }] };
  const text = 'Sort this mail.\nMail: {{input}}';
  await call('POST', '/api/v1/prompts', { name: 'desk/led', text, setup });
  await page.goto('/prompts/desk%2Fled?on=dataset');
  const evaluation = page.getByTestId('evaluation');
  await expect(evaluation).not.toContainText('Run the evaluation');
  const dialog = page.getByRole('dialog', { name: 'Setup' });
  await clickUntil(evaluation.getByRole('button', { name: 'Edit setup' }), dialog);
  await dialog.getByRole('button', { name: 'Add a criterion' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('exact');
  await dialog.getByLabel('Scored by').selectOption({ label: 'Reference answer' });
  await dialog.getByRole('button', { name: 'Save setup' }).click();
  // The button that opened the dialog is gone.
  await expect(evaluation).toContainText('To run:');
  await expect(evaluation).toBeFocused();
  await loadEditor(page);
  const editor = page.getByRole('textbox', { name: 'Prompt' });
  await editor.fill(`${RULE}\n${text}`);
  await evaluation.getByRole('button', { name: 'Run' }).click();
  await expect(evaluation).toContainText('4 of 4 right, v1: 2.');
  await page.getByRole('button', { name: 'Save as v2' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('A rule');
  await page.getByRole('button', { name: 'Save v2' }).click();
  await expect(page.getByRole('button', { name: 'Save as v3' })).toBeDisabled();
  await expect(evaluation).toContainText('4 of 4 right, v1: 2.');
  await editor.fill('');
  await expect(evaluation).toContainText('Write a prompt first');
  await provider.stop();
});

test('each answer stays with its case and its model when others are removed', async ({ app, page }) => {
  const provider = await startScriptedProvider(shouter);
  const { call } = openApi(app.address);
  await call('POST', '/api/v1/providers', { name: 'movers', kind: 'openai-compatible', baseUrl: provider.baseUrl });
  await call('PATCH', '/api/v1/default-models', { generator: { provider: 'movers', model: 'scripted-1' } });
  await page.goto('/prompts/new');
  const pane = page.getByTestId('playground');
  const answers = page.getByTestId('typed-answer');
  await loadEditor(page);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Word: {{input}}');
  await pane.getByRole('button', { name: 'Add case' }).click();
  await pane.getByLabel('Input').first().fill('balloon');
  await pane.getByLabel('Input').last().fill('kite');
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(answers.last()).toContainText('kite it is');
  await pane.getByRole('button', { name: 'Remove case 1' }).click();
  await expect(pane.getByLabel('Input')).toHaveValue('kite');
  await expect(answers).toHaveCount(1);
  await expect(answers).toContainText('kite it is');
  await pane.getByRole('button', { name: 'Add case' }).click();
  await expect(pane.getByLabel('Input')).toHaveCount(2);
  await expect(answers).toHaveCount(1);
  await setDefaultModel(app.address, { provider: 'practice', model: 'practice-1' });
  await provider.stop();
});

test('a prompt can be run again as soon as all answers are there, although the run is still being saved', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const fetchPage = window.fetch.bind(window);
    let runs = 0;
    window.fetch = (input, init) => {
      if (!String(input).endsWith('/api/v1/playground')) return fetchPage(input, init);
      runs += 1;
      const events = [{ type: 'proof', text: 0, model: 0, position: 0, proof: { output: `answer ${runs}` } }];
      const evaluation = {
        score: null,
        satisfactory: false,
        criteriaScores: {},
        detail: '',
        inputTokens: 1,
        outputTokens: 1,
      };
      const lines = events.map((event) =>
        JSON.stringify({ ...event, proof: { ...event.proof, ...evaluation, costUsd: 0, durationMs: 5 } }),
      );
      // The stream stays open, as while the run is being saved.
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(`${lines.join('\n')}\n`)),
      });
      return Promise.resolve(new Response(body));
    };
  });
  await page.goto('/prompts/new');
  const pane = page.getByTestId('playground');
  const answer = page.getByTestId('typed-answer');
  await loadEditor(page);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Word: {{input}}');
  await pane.getByLabel('Input').fill('kite');
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(answer).toContainText('answer 1');
  await pane.getByLabel('Input').press('ControlOrMeta+Enter');
  await expect(answer).toContainText('answer 2');
});

test('text typed while the editor loads is kept, and typing continues at the same position', async ({ page }) => {
  await page.goto('/prompts/new', { waitUntil: 'networkidle' });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_next/static/chunks/**', async (route) => {
    await released;
    await route.continue();
  });
  const editor = page.locator('[data-slot="code-editor"]').first();
  const entry = page.getByRole('textbox', { name: 'Prompt' });
  await entry.fill(`Sort this mail.\n\n${'Answer with one label. '.repeat(20)}\nMail: {{input}}`);
  const height = (await editor.boundingBox())?.height ?? 0;
  expect(height).toBeGreaterThan(0);
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.insertText('First ');
  await expect(entry).toHaveValue(/^First Sort/);
  release();
  await expect(loadedEditor(page)).toBeVisible();
  await page.keyboard.insertText('read and ');
  await expect(loadedEditor(page)).toContainText('First read and Sort this mail.');
  expect((await editor.boundingBox())?.height).toBe(height);
});

test('a failed removal of a label is reported although its dialog was closed', async ({ app, page, expectConsole }) => {
  expectConsole(/net::ERR_FAILED/);
  const { call } = openApi(app.address);
  await call('POST', '/api/v1/prompts', { name: 'desk/closed', text: 'Sort: {{input}}' });
  await call('PUT', '/api/v1/prompts/desk%2Fclosed/labels/production', { version: 1 });
  await page.goto('/prompts/desk%2Fclosed');
  const dialog = page.getByRole('dialog', { name: 'Labels of desk/closed' });
  await clickUntil(page.getByRole('button', { name: 'Labels' }), dialog);
  const released = Promise.withResolvers<void>();
  await page.route('**/labels/production', async (route) => {
    await released.promise;
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Remove production' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  released.resolve();
  await expect(page.getByText('Hone did not respond. Nothing was moved.', { exact: true })).toBeVisible();
  await page.unrouteAll();
});
