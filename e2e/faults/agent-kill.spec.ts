import { expect, test } from '@playwright/test';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { decidedSchema } from '#lib/api/runs-schema.ts';
import { openApi } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import { type ScriptedRequest, type ScriptedResponse, startScriptedProvider } from '../scripted-provider.ts';
import { startRestartableApp } from '../start-app.ts';

/** Duration of the second turn, long enough to kill the app during it. */
const SLOW_MS = 1_500;

/** Returns the turn of a fake agent without native tool calls: it uses the calculator, then gives the result. */
function turnOf({ messages }: ScriptedRequest): ScriptedResponse {
  const isFirst = messages.every(({ role }) => role !== 'assistant');
  if (isFirst) return { text: 'Thought: A sum.\nAction: calculator\nAction Input: {"expression": "2 + 3"}' };
  return { text: 'Thought: I know.\nFinal Answer: 4', delayMs: SLOW_MS };
}

test('an agent survives SIGKILL while waiting for tool approval and during a turn, without repeating a tool', async () => {
  test.setTimeout(240_000);
  const provider = await startScriptedProvider(turnOf);
  const hone = await startRestartableApp();
  try {
    const api = openApi(hone.app.address);
    const { baseUrl } = provider;
    await createProvider(api, { name: 'scripted', baseUrl, toolsBy: 'prompt' });
    const base = { type: 'react', tools: ['calculator'], approve: ['calculator'] };
    const experimentId = await api.createExperiment({
      mode: 'retry',
      generator: { provider: 'scripted', model: 'scripted-1', base },
      criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
      maxAttempts: 1,
    });
    const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, {
      cases: [{ input: 'What is 2 + 2?', reference: '4' }],
    });
    const runId = started.runIds[0] ?? '';
    await api.waitForRun(runId, ['waiting'], 60_000);

    await hone.killAndRestart();
    const waiting = await api.waitForRun(runId, ['waiting']);
    const call = { id: '0.0', tool: 'calculator', arguments: '{"expression": "2 + 3"}' };
    expect(waiting.waitingFor).toMatchObject({ hook: 'onToolCall', toolCall: call });
    expect(waiting.observations).toEqual([]);
    expect(provider.calls).toHaveLength(1);

    await api.read(decidedSchema, 'POST', `/api/v1/runs/${runId}/decisions`, {
      decision: 'allow',
      toolArguments: '{"expression": "2 + 2"}',
      pauseId: waiting.waitingFor?.pauseId,
    });
    await expect.poll(() => provider.calls.length, { timeout: 30_000, intervals: [20] }).toBe(2);
    await hone.killAndRestart();
    const run = await api.waitForRun(runId, ['finished'], 60_000);
    expect(run).toMatchObject({ convergenceReason: 'quality_met', finalOutput: '4', success: true });
    expect(run.turns.map(({ thought, answer }) => [thought, answer])).toEqual([
      ['A sum.', null],
      ['I know.', '4'],
    ]);
    expect(run.observations).toMatchObject([{ callId: '0.0', status: 'ok', text: expect.stringContaining('4') }]);
    // Only the turn that was in flight is requested again. The first turn and the tool are not repeated.
    expect(provider.calls).toHaveLength(3);
  } finally {
    await hone.stop();
    await provider.stop();
  }
});
