import { startedSchema } from '#lib/api/experiments-schema.ts';
import { expect, test } from '../api/api-test.ts';
import type { Api } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import { type Script, type ScriptedResponse, startScriptedProvider } from '../scripted-provider.ts';

const GOOD: ScriptedResponse = { text: 'The tide comes and goes. Finish[yes]', inputTokens: 11, outputTokens: 5 };

type Fault = {
  name: string;
  /** Response to the first call, or to every call if `always` is set. */
  fault: ScriptedResponse;
  always?: true;
  /** Expected final status of the run. */
  status: 'finished' | 'failed';
  calls: number;
  /** Expected stop reason of a failed run. Defaults to model_failed. */
  reason?: string;
  message?: RegExp;
  remedy?: RegExp;
  tokens?: number;
};

const FAULTS: Fault[] = [
  { name: '401', fault: { status: 401 }, always: true, status: 'failed', calls: 1, message: /401/, remedy: /key/i },
  { name: '403', fault: { status: 403 }, always: true, status: 'failed', calls: 1, message: /403/ },
  {
    name: '404',
    fault: { status: 404 },
    always: true,
    status: 'failed',
    calls: 1,
    message: /404/,
    remedy: /model|base URL/i,
  },
  { name: '408 once', fault: { status: 408 }, status: 'finished', calls: 2 },
  { name: '409 once', fault: { status: 409 }, status: 'finished', calls: 2 },
  {
    name: '429 with Retry-After',
    fault: { status: 429, headers: { 'retry-after': '1' } },
    status: 'finished',
    calls: 2,
  },
  { name: '429 without Retry-After', fault: { status: 429 }, status: 'finished', calls: 2 },
  {
    name: '429 with a Retry-After of two days',
    fault: { status: 429, headers: { 'retry-after': '172800' } },
    always: true,
    status: 'failed',
    calls: 1,
    message: /429/,
  },
  { name: '500 once', fault: { status: 500 }, status: 'finished', calls: 2 },
  { name: '503 once', fault: { status: 503 }, status: 'finished', calls: 2 },
  {
    name: '503 permanently',
    fault: { status: 503 },
    always: true,
    status: 'failed',
    calls: 4,
    message: /503/,
    remedy: /resume/i,
  },
  {
    name: 'a response that is not JSON',
    fault: { malformed: '<html>Bad gateway</html>' },
    always: true,
    status: 'failed',
    calls: 1,
    message: /could not be read/,
  },
  {
    name: 'an empty response',
    fault: { text: '', inputTokens: 9, outputTokens: 0 },
    always: true,
    status: 'failed',
    calls: 1,
    tokens: 9,
  },
  {
    name: 'a refusal',
    fault: { text: 'no', finishReason: 'content_filter', inputTokens: 9, outputTokens: 1 },
    always: true,
    status: 'failed',
    calls: 1,
    tokens: 10,
  },
  { name: 'a connection dropped once', fault: { cut: true }, status: 'finished', calls: 2 },
  {
    name: 'a truncated text',
    fault: { text: 'The tide comes and Finish[yes]', finishReason: 'length' },
    status: 'finished',
    calls: 1,
  },
  {
    name: '2 MB of text',
    fault: { text: `${'tide '.repeat(400_000)}Finish[yes]` },
    status: 'failed',
    calls: 1,
    reason: 'evaluation_failed',
  },
];

let providers = 0;

/** Starts a run of a retry experiment on its own fake provider that follows the script. */
async function runOn(api: Api, script: Script, maxAttempts: number) {
  const provider = await startScriptedProvider(script);
  const name = `faulty-${++providers}`;
  const { baseUrl } = provider;
  await createProvider(api, { name, baseUrl });
  const experimentId = await api.createExperiment({
    mode: 'retry',
    generator: { provider: name, model: 'scripted-1' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
    qualityThreshold: 1,
    maxAttempts,
  });
  const task = { input: 'Do tides come and go?', reference: 'yes' };
  const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, task);
  return { provider, runId: started.runIds[0] ?? '' };
}

for (const { name, fault, always, status, calls, reason, message, remedy, tokens } of FAULTS) {
  test(`${name}: the run is ${status} after ${calls} call(s)`, async ({ api }) => {
    const { provider, runId } = await runOn(api, ({ number }) => (always || number === 1 ? fault : GOOD), 1);
    const run = await api.waitForRun(runId, ['finished', 'failed'], 30_000);
    expect(run.status).toBe(status);
    expect(provider.calls).toHaveLength(calls);
    if (message) expect(run.failure?.message).toMatch(message);
    if (remedy) expect(run.failure?.remedy).toMatch(remedy);
    if (tokens !== undefined) expect(run.tokenUsage.total).toBe(tokens);
    if (status === 'failed') expect(run.convergenceReason).toBe(reason ?? 'model_failed');
    else expect(run.success).toBe(true);
    if ('text' in fault && (status === 'finished' || reason === 'evaluation_failed'))
      expect(run.versions[0]).toMatchObject({ output: fault.text, finishReason: fault.finishReason ?? 'stop' });
    await provider.stop();
  });
}

test('a failed run keeps its versions and resumes once the provider works again', async ({ api }) => {
  const wrong: ScriptedResponse = { text: 'Finish[no]' };
  const { provider, runId } = await runOn(api, ({ number }) => (number === 1 ? wrong : { status: 401 }), 2);
  const failed = await api.waitForRun(runId, ['failed']);
  expect(failed.versions).toHaveLength(1);

  provider.setScript(({ prompt }) => (prompt.includes('<attempt>') ? { text: 'Tides do come and go.' } : GOOD));
  await api.call('POST', `/api/v1/runs/${runId}/resume`);
  const resumed = await api.waitForRun(runId, ['finished']);
  expect(resumed).toMatchObject({ success: true, convergenceReason: 'quality_met', failure: null });
  expect(resumed.versions.map((version) => version.output)).toEqual([wrong.text, GOOD.text]);
  expect(resumed.lessons.map((lesson) => lesson.text)).toEqual(['Tides do come and go.']);
  await provider.stop();
});
