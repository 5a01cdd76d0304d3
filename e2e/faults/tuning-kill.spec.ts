import { expect, test } from '@playwright/test';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { triesSchema } from '#lib/api/runs-schema.ts';
import { TRIES_AT_A_TIME as IN_FLIGHT } from '#lib/core/tuning/perform-tries.ts';
import { openApi } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import { type ScriptedRequest, startScriptedProvider } from '../scripted-provider.ts';
import { startRestartableApp } from '../start-app.ts';

const LATENCY_MS = 150;
const WEAK = 'Colour of {{input}}?';
const GOOD = 'Colour of {{input}}? Answer: red.';
const CASES = [
  ...Array.from({ length: 6 }, (_, at) => ({ input: `thing ${at}`, reference: 'red', tags: ['train'] })),
  ...Array.from({ length: 40 }, (_, at) => ({ input: `part ${at}`, reference: 'red', tags: ['validation'] })),
];
/** Calls of a whole tuning run: both prompts on 40 validation cases and a minibatch of three, and one proposal. */
const WHOLE_RUN = 2 * (40 + 3) + 1;

test('after a kill, tuning repeats no saved call; a second run reuses them; a budget holds', async () => {
  test.setTimeout(300_000);
  const provider = await startScriptedProvider(({ prompt }) => ({ text: answerTo(prompt), delayMs: LATENCY_MS }));
  const hone = await startRestartableApp();
  try {
    const api = openApi(hone.app.address);
    await createProvider(api, { name: 'scripted', baseUrl: provider.baseUrl });
    const settings = {
      mode: 'tune',
      generator: { provider: 'scripted', model: 'scripted-1' },
      prompts: { generate: WEAK },
      criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
      qualityThreshold: 1,
      tune: { proposalsAtOnce: 1 },
    };
    const experimentId = await api.createExperiment(settings);
    const startRun = async (id: string) => {
      const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, { cases: CASES });
      return started.runIds[0] ?? '';
    };

    const runId = await startRun(experimentId);
    // During the second step of the good prompt's validation.
    await expect.poll(() => provider.calls.length, { timeout: 60_000, intervals: [5] }).toBeGreaterThan(66);
    await hone.killAndRestart();
    const run = await api.waitForRun(runId, ['finished'], 60_000);
    expect(run).toMatchObject({ convergenceReason: 'quality_met', success: true, finalVersion: 1 });
    expect(run.versions.map(({ evaluations }) => evaluations[0]?.overallScore)).toEqual([0, 1]);
    const asked = countsOf(provider.calls);
    expect(asked.size).toBe(WHOLE_RUN);
    expect(Math.max(...asked.values())).toBeLessThanOrEqual(2);
    expect(provider.calls.length).toBeLessThanOrEqual(WHOLE_RUN + IN_FLIGHT);
    const { items } = await api.read(triesSchema, 'GET', `/api/v1/runs/${runId}/tries?limit=200`);
    expect(items).toHaveLength(WHOLE_RUN - 1);

    const before = provider.calls.length;
    const second = await api.waitForRun(await startRun(experimentId), ['finished'], 60_000);
    expect(second).toMatchObject({ convergenceReason: 'quality_met', tuning: { calls: 1, paidBefore: WHOLE_RUN - 1 } });
    expect(provider.calls.slice(before).map(isProposal)).toEqual([true]);

    const limited = await api.createExperiment({
      ...settings,
      prompts: { generate: `${WEAK} Now.` },
      budget: { maxCalls: 25 },
    });
    const stopped = await api.waitForRun(await startRun(limited), ['finished'], 60_000);
    expect(stopped).toMatchObject({ convergenceReason: 'call_budget', success: false });
    expect(provider.calls.length - before - 1).toBeLessThanOrEqual(25 + IN_FLIGHT - 1);
    expect(stopped.tuning?.calls).toBe(provider.calls.length - before - 1);
  } finally {
    await hone.stop();
    await provider.stop();
  }
});

function isProposal({ prompt }: Pick<ScriptedRequest, 'prompt'>): boolean {
  return prompt.includes('<current_prompt>');
}

function answerTo(prompt: string): string {
  if (isProposal({ prompt })) return `It does not say what to answer.\n~~~~\n${GOOD}\n~~~~`;
  return prompt.includes('Answer: red.') ? 'red' : 'I wonder.';
}

/** Counts the calls by prompt. */
function countsOf(calls: ScriptedRequest[]): Map<string, number> {
  return new Map([...Map.groupBy(calls, ({ prompt }) => prompt)].map(([prompt, { length }]) => [prompt, length]));
}
