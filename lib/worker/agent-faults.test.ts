import { describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { Observation } from '#lib/core/history.ts';
import type { ModelFailureKind } from '#lib/core/model-request.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ProviderKind } from '#lib/providers/provider-kinds.ts';
import { anthropicAnswer, failing, TURN_KINDS, turnAnswer } from '#lib/providers/turn-answers.test-support.ts';
import { continueRateLimited, waitsForRateLimit } from '#lib/runs/rate-limits.ts';
import { CALL_SPEND } from '#lib/testing/scripted-loop.test-support.ts';
import { type Answer, completion, raw, toolCompletion } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { queuedRun, recordOf, storedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import type { Tool } from '#lib/tools/toolbox.ts';
import {
  agentModel,
  agentSettings,
  agentWorkerContext,
  ECHO,
  echoTool,
  performScripted,
} from './agent-run.test-support.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const TASK = { input: 'Say a.', reference: 'Done.' };
const TOKENS = 17;

/** Performs one agent run against a fake server of the given provider kind. Each token costs $1. */
async function servedRun(kind: ProviderKind, answers: Answer[]) {
  const context = testContext(db.database());
  const started = await serveScript(answers);
  const prices = { 'practice-1': { inputPerMillionUsd: 1_000_000, outputPerMillionUsd: 1_000_000 } };
  const configuration = { name: 'p', kind, baseUrl: started.baseUrl, apiKey: 'key-12345678', prices };
  const call = createModelCaller({
    addresses: context.addresses,
    resolveProvider: async () => configuration,
    maxAttempts: 2,
    sleep: async () => {},
  });
  const settings: ExperimentSettingsInput = agentSettings(
    { type: 'react', tools: [ECHO] },
    { criteria: [{ name: 'right', evaluator: 'reference', config: { match: 'exact' } }], maxAttempts: 1 },
  );
  const runId = await queuedRun(context, settings, TASK);
  const used: string[] = [];
  const worker = agentWorkerContext(context, call, [echoTool(used)]);
  const perform = async () => {
    await performRun(worker, runId);
    return storedRun(db.database(), runId);
  };
  return { context, runId, used, perform, requests: started.requests, stored: await perform() };
}

describe.each(TURN_KINDS)('the second agent turn with a provider of kind %s', (kind) => {
  const first = turnAnswer(kind, 'I say a.', [[ECHO, { text: 'a' }]]);
  const last = turnAnswer(kind, 'Done.');

  test.each<[string, Answer, ModelFailureKind, RegExp, number]>([
    ['fails', failing(kind, 500, 'broken'), 'unavailable', /is not available \(HTTP 500\): broken/, 2],
    ['returns a truncated response', raw('{"choices": [{"mess'), 'malformed', /could not be read/, 1],
    ['has a wrong key', failing(kind, 401, 'no'), 'unauthorized', /did not accept the API key/, 1],
  ])('%s: the run fails with the reason and can be resumed', async (_name, fault, cause, message, tries) => {
    const answers = [first, ...Array.from({ length: tries }, () => fault), last];
    const { context, runId, used, perform, requests, stored } = await servedRun(kind, answers);
    expect(stored.run).toMatchObject({ status: 'failed', convergenceReason: 'model_failed', finalVersion: null });
    expect(stored.history.failure).toMatchObject({ cause, message: expect.stringMatching(message) });
    expect(stored.history.failure?.remedy).not.toBe('');
    expect(JSON.stringify(stored)).not.toContain('key-12345678');
    expect(spendOfRun(stored.history)).toMatchObject({ tokenUsage: { total: TOKENS }, costUsd: TOKENS });

    unwrap(await resumeRun(context, TESTER, runId));
    const { run, history } = await perform();
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    expect(history.turns).toHaveLength(2);
    expect(history.versions).toMatchObject([{ output: 'Done.', costUsd: 2 * TOKENS }]);
    expect(run.costUsd).toBe(2 * TOKENS);
    expect(used).toEqual(['a']);
    expect(requests).toHaveLength(2 + tries);
  });

  test('is rate limited: the run waits and then continues with it', async () => {
    const slow = failing(kind, 429, 'slow down');
    const { context, runId, used, perform, requests, stored } = await servedRun(kind, [first, slow, slow, last]);
    expect(waitsForRateLimit(stored.run)).toBe(true);

    unwrap(await resumeRun(context, TESTER, runId));
    await continueRateLimited(context);
    const { run, history } = await perform();
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', costUsd: 2 * TOKENS });
    expect(history.turns).toHaveLength(2);
    expect(used).toEqual(['a']);
    expect(requests).toHaveLength(4);
  });

  test('falls back to text prompts if the provider rejects tools', async () => {
    const refused = failing(kind, 400, 'this model does not support tools');
    const inText = turnAnswer(kind, 'Thought: I know.\nFinal Answer: Done.');
    const { stored } = await servedRun(kind, [first, refused, inText]);
    expect(stored.run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', costUsd: 2 * TOKENS });
    expect(stored.history.turns.at(-1)).toMatchObject({ thought: 'I know.', answer: 'Done.' });
    const calls = await db
      .database()
      .prisma.modelCall.findMany({ where: { runId: stored.run.id }, orderBy: { id: 'asc' } });
    expect(calls.at(-1)).toMatchObject({
      attempts: 2,
      thought: 'I know.',
      warnings: expect.arrayContaining([expect.stringMatching(/in the prompt/)]),
    });
  });
});

test('sends the reasoning before a tool call back after a resume, and does not show it', async () => {
  const thinking = { type: 'thinking', thinking: 'Say it.', signature: 'sig-1' };
  const use = { type: 'tool_use', id: 't', name: ECHO, input: { text: 'a' } };
  const fault = failing('anthropic', 500, 'broken');
  const answers = [anthropicAnswer([thinking, use], 'tool_use'), fault, fault, turnAnswer('anthropic', 'Done.')];
  const { context, runId, perform, requests } = await servedRun('anthropic', answers);
  unwrap(await resumeRun(context, TESTER, runId));
  expect((await perform()).run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
  const assistant = { role: 'assistant', content: [thinking, expect.objectContaining({ type: 'tool_use' })] };
  expect(requests.at(-1)?.body.messages).toEqual(expect.arrayContaining([assistant]));
  const record = await recordOf(db.database(), runId);
  expect(record.turns[0]?.calls).toEqual([{ id: '0.0', tool: ECHO, arguments: '{"text":"a"}' }]);
});

describe('a failed tool call is reported to the agent and does not fail the run', () => {
  const fails = (run: Tool['run'], timeoutMs: number | null = null): Tool => ({ ...echoTool([]), run, timeoutMs });
  const ok = { status: 'ok' as const, text: 'echo' };
  const A = { text: 'a' };

  test.each<[string, [tool: string, given: object | string], Tool, Observation['status'], RegExp]>([
    ['arguments that are not JSON', [ECHO, '{"text": "a'], fails(async () => ok), 'malformed', /no JSON object/],
    ['arguments that are not an object', [ECHO, '["a"]'], fails(async () => ok), 'malformed', /no JSON object/],
    ['arguments that do not match its schema', [ECHO, { wrong: 1 }], fails(async () => ok), 'malformed', /text/],
    ['an unknown tool', ['teleport', A], fails(async () => ok), 'unknown_tool', /You have no tool "teleport"/],
    ['a tool that throws', [ECHO, A], fails(() => Promise.reject(new Error('out of order'))), 'failed', /out of order/],
    [
      'a tool that hangs',
      [ECHO, A],
      fails(() => new Promise(() => {}), 30),
      'timed_out',
      /did not respond within 0\.03 seconds/,
    ],
    [
      'a response that is too long',
      [ECHO, A],
      fails(async () => ({ ...ok, text: 'x'.repeat(1e6) })),
      'ok',
      /1,000,000 characters long/,
    ],
    [
      'a response that cannot be stored',
      [ECHO, A],
      fails(async () => ({ ...ok, text: 'a\u0000\ud800' })),
      'ok',
      /^a\ufffd\ufffd$/,
    ],
  ])('%s', async (_name, [tool, given], own, status, text) => {
    const lines: string[] = [];
    const model = agentModel(({ conversation }) => {
      lines.push(JSON.stringify(conversation?.messages.at(-1) ?? null));
      return [{ calls: [[tool, given]] }, 'Done.'];
    });
    const settings = agentSettings({ type: 'react', tools: [ECHO] });
    const { run, history } = await performScripted(db.database(), settings, TASK, model, [own]);
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    expect(history.observations).toMatchObject([{ callId: '0.0', tool, status, text: expect.stringMatching(text) }]);
    expect(lines[1]).toContain(`"isError":${status !== 'ok'}`);
    // Two turns and one evaluation. Tool calls cost nothing.
    expect(spendOfRun(history).tokenUsage.total).toBe(3 * CALL_SPEND.tokenUsage.total);
  });
});

describe('an agent that produces no answer', () => {
  const use = toolCompletion('Again.', [[ECHO, '{"text":"a"}']]);

  test.each<[string, Answer, string, number]>([
    ['repeats the same call', use, 'stalled', 3],
    ['returns empty turns', completion(''), 'no_answer', 2],
  ])('%s: its partial work is kept without a score', async (_name, answer, finishReason, turns) => {
    const { stored } = await servedRun('openai-compatible', [answer]);
    const { run, history } = stored;
    expect(history.versions).toMatchObject([{ interrupted: true, finishReason }]);
    expect(history.evaluations).toEqual([]);
    expect(history.turns).toHaveLength(turns);
    expect(run.costUsd).toBe(turns * TOKENS);
    expect(spendOfRun(history).costUsd).toBe(turns * TOKENS);
  });
});
