import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { pressUntil } from './press-until.ts';
import { startScriptedProvider } from './scripted-provider.ts';

const ASKED = {
  name: 'Sums with approval',
  mode: 'retry',
  maxAttempts: 1,
  generator: {
    ...{ provider: 'practice', model: 'practice-1' },
    base: { type: 'react', tools: ['calculator'], approve: ['calculator'] },
  },
  criteria: [{ name: 'answer', evaluator: 'regex', config: { pattern: '4' } }],
};

test('a reviewer approves a tool call with changed arguments and rejects one with a reason', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment(ASKED);
  const changed = await api.startRun(experiment, 'What is 17 + 25?');
  const { waitingFor, versions } = await api.waitForRun(changed, ['waiting']);
  expect(versions).toEqual([]);
  expect(waitingFor).toMatchObject({ hook: 'onToolCall', version: 0, toolCall: { id: '0.0', tool: 'calculator' } });

  await page.goto(`/runs/${changed}`);
  const bar = page.getByTestId('approval-bar');
  await expect(bar).toContainText('The agent wants to use calculator: {"expression":"17 + 25"}');
  await expect(page.getByTestId('agent-way')).toContainText('waits for a reviewer');
  const entry = page.getByLabel('Arguments as JSON');
  await pressUntil(page, 'e', entry.and(page.locator(':focus')));
  await entry.fill('{"expression": "17 + 26"');
  await page.getByRole('button', { name: 'Allow with changes' }).click();
  await expect(entry).toHaveAccessibleDescription(/must be JSON/i);
  await entry.fill('{"expression": "17 + 26"}');
  await page.getByRole('button', { name: 'Allow with changes' }).click();
  await expect(bar).toContainText('allow calculator with your arguments');
  await page.keyboard.press('Control+Enter');

  const record = await api.waitForRun(changed, ['finished']);
  expect(record).toMatchObject({
    turns: [{}, { answer: expect.stringContaining('The calculator comes to') }],
    observations: [{ status: 'ok', text: '43' }],
  });
  await page.goto(`/runs/${changed}`);
  const way = page.getByTestId('agent-way');
  await expect(way.getByRole('heading')).toHaveText('Agent work on v0');
  await expect(way).toContainText('{"expression":"17 + 25"}');
  await expect(way).toContainText('with changed arguments');
  await expect(page.getByTestId('decisions')).toContainText('allow calculator with changed arguments');

  const refused = await api.startRun(experiment, 'What is 20 + 25?');
  await api.waitForRun(refused, ['waiting']);
  await page.goto(`/inbox?item=${refused}`);
  await expect(page.getByTestId('inbox-list')).toContainText('the agent wants to use calculator');
  const reason = page.getByLabel('Reason');
  await pressUntil(page, 'r', reason.and(page.locator(':focus')));
  await reason.fill('Work it out by head.');
  await page.getByRole('button', { name: 'Refuse' }).last().click();
  await expect(bar).toContainText('refuse calculator, with your reason');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('refused a tool call')).toBeVisible();
  const after = await api.waitForRun(refused, ['finished', 'waiting']);
  expect(after.decisions[0]).toMatchObject({ decision: 'refuse', by: 'person', toolCallId: '0.0' });
  expect(after.observations[0]).toMatchObject({
    status: 'refused',
    text: expect.stringContaining('Work it out by head.'),
  });
});

test('reports tool calls beyond the turn limit; there is no best version if all attempts are cut off', async ({
  page,
  app,
}) => {
  let turns = 0;
  const provider = await startScriptedProvider(() => {
    turns += 1;
    const uses = Array.from(
      { length: 20 },
      (_, index) => `Action: calculator\nAction Input: {"expression": "${turns} + ${index}"}`,
    );
    return { text: ['Thought: All at once.', ...uses].join('\n') };
  });
  try {
    const api = openApi(app.address);
    const { baseUrl } = provider;
    await createProvider(api, { name: 'eager', baseUrl, toolsBy: 'prompt' });
    const experiment = await api.createExperiment({
      name: 'Sums all at once',
      mode: 'retry',
      maxAttempts: 2,
      generator: { provider: 'eager', model: 'eager-1', base: { type: 'react', tools: ['calculator'], maxSteps: 2 } },
      criteria: [{ name: 'answer', evaluator: 'regex', config: { pattern: '4' } }],
    });
    const runId = await api.startRun(experiment, 'What is 2 + 2?');
    const record = await api.waitForRun(runId, ['finished']);
    expect(record).toMatchObject({ convergenceReason: 'max_iterations', success: false });
    expect(record).toMatchObject({ bestVersion: null, bestOutput: null, finalVersion: 1 });
    expect(record.turns.map(({ calls, callsLeftOut }) => [calls.length, callsLeftOut])).toEqual(
      Array.from({ length: 4 }, () => [16, 4]),
    );
    const mentions = provider.calls.map(({ prompt }) => prompt.includes('4 more uses of tools in this turn were not'));
    // The second attempt reads the outcome of the first one.
    expect(mentions).toEqual([false, true, true, true]);

    await page.goto(`/runs/${runId}`);
    await expect(
      page.getByText('All attempts were cut off, so there is no best version. v1 is the last one.'),
    ).toBeVisible();
    const list = page.getByTestId('version-list');
    await expect(list).toContainText('cut off');
    await expect(list).not.toContainText('best');
    const way = page.getByTestId('agent-way');
    await expect(way.getByRole('heading')).toHaveText('Agent work on v1');
    await expect(way).toContainText('2 turns, 32 tool calls, 8 more omitted');
    await expect(way).toContainText('4 more uses of tools in this turn were not performed: at most 16 a turn.');
  } finally {
    await provider.stop();
  }
});
