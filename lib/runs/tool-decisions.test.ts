import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { queuedRun, recordOf, storedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import {
  type AgentScript,
  agentModel,
  agentSettings,
  agentWorkerContext,
  ECHO,
  echoTool,
} from '#lib/worker/agent-run.test-support.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { pauseDelivery } from '#lib/worker/webhooks/pause-delivery.ts';
import { decide, decideAs } from './decide.ts';
import { expirePauses } from './expire-pauses.ts';

const db = useTestDatabase();
const REFERENCE = 'The hidden answer is forty-two degrees.';
const TASK = { input: 'Say a.', reference: REFERENCE };
const script: AgentScript = () => [{ thought: 'I want to say a.', calls: [[ECHO, { text: 'a' }]] }, 'Done.'];

/** Starts a run whose agent waits to use a tool. */
async function waitingRun(callbacks: ExperimentSettingsInput['callbacks'] = {}) {
  const context = testContext(db.database());
  const settings = agentSettings({ type: 'react', tools: [ECHO], approve: [ECHO] }, { callbacks });
  const runId = await queuedRun(context, settings, TASK);
  const used: string[] = [];
  const worker = agentWorkerContext(context, agentModel(script), [echoTool(used)]);
  const perform = async () => {
    await performRun(worker, runId);
    return storedRun(db.database(), runId);
  };
  const { history } = await perform();
  const pauseId = history.pause?.pauseId ?? '';
  return { context, runId, used, perform, pauseId };
}

test('an agent waits for approval before it uses the tool', async () => {
  const { runId, used, perform } = await waitingRun();
  const record = await recordOf(db.database(), runId);
  expect(record).toMatchObject({
    status: 'waiting',
    versions: [],
    waitingFor: { hook: 'onToolCall', version: 0, toolCall: { id: '0.0', tool: ECHO, arguments: '{"text":"a"}' } },
  });
  // Another worker picks up the run, as after a restart, and changes nothing.
  const { run, history } = await perform();
  expect(run.status).toBe('waiting');
  expect(history.turns).toHaveLength(1);
  expect(used).toEqual([]);
});

describe('decisions on a tool call', () => {
  test.each([
    ['allow', {}, ['a'], { status: 'ok', text: 'echo of a' }],
    ['allow', { toolArguments: '{"text": "b"}' }, ['b'], { status: 'ok', text: 'echo of b' }],
    ['refuse', { reason: 'Not today.' }, [], { status: 'refused', text: expect.stringContaining('Not today.') }],
    ['refuse', {}, [], { status: 'refused' }],
    ['auto', {}, [], { status: 'refused' }],
  ])('%s %j', async (decision, more, uses, observation) => {
    const { context, runId, used, perform, pauseId } = await waitingRun();
    const { decision: made } = unwrap(await decide(context, TESTER, runId, { decision, pauseId, ...more }));
    expect(made).toMatchObject({
      hook: 'onToolCall',
      toolCallId: '0.0',
      toolArguments: null,
      version: 0,
      iteration: 0,
      ...more,
    });
    const { run, history } = await perform();
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    expect(used).toEqual(uses);
    expect(history.observations).toMatchObject([{ callId: '0.0', tool: ECHO, ...observation }]);
    expect(history.versions).toMatchObject([{ output: 'Done.', interrupted: false }]);
    const late = await decide(context, TESTER, runId, { decision: 'allow', pauseId });
    expect(late).toMatchObject({ ok: false, problem: { code: 'conflict', field: 'pauseId' } });
  });

  test('stop ends the run without using the tool', async () => {
    const { context, runId, used, pauseId } = await waitingRun();
    unwrap(await decide(context, TESTER, runId, { decision: 'stop', pauseId }));
    const { run } = await storedRun(db.database(), runId);
    expect(run).toMatchObject({ status: 'stopped', convergenceReason: 'user_stopped' });
    expect(used).toEqual([]);
  });

  test('rejects invalid decisions and names the valid ones', async () => {
    const { context, runId, used, pauseId } = await waitingRun();
    const cases: [object, RegExp][] = [
      [{ decision: 'continue' }, /waits to use javascript: allow or refuse it/],
      [{ decision: 'accept' }, /allow or refuse/],
      [{ decision: 'revise', guidance: 'x' }, /allow or refuse/],
      [{ decision: 'edit', output: 'x' }, /allow or refuse/],
      [{ decision: 'score', score: 1 }, /allow or refuse/],
      [{ decision: 'allow', toolArguments: 'b' }, /must be a JSON object/],
      [{ decision: 'allow', toolArguments: '["b"]' }, /must be a JSON object/],
      [{ decision: 'allow', toolArguments: 1 }, /JSON text/],
      [{ decision: 'allow', version: 1 }, /must be 0/],
      [{ decision: 'refuse', toolArguments: '{}' }, /goes with allow/],
      [{ decision: 'allow', pauseId: crypto.randomUUID() }, /does not wait at this pause/],
      [{ decision: 'allow', pauseId: undefined }, /Send its pauseId/],
    ];
    for (const [input, message] of cases) {
      const result = await decide(context, TESTER, runId, { pauseId, ...input });
      expect(result.ok ? '' : result.problem.message).toMatch(message);
    }
    expect((await storedRun(db.database(), runId)).run.status).toBe('waiting');
    expect(used).toEqual([]);
  });

  test('rejects allow if no agent waits to use a tool', async () => {
    const context = testContext(db.database());
    const settings = agentSettings({ type: 'react', tools: [ECHO] }, { callbacks: { pause: 'always' } });
    const runId = await queuedRun(context, settings, TASK);
    await performRun(agentWorkerContext(context, agentModel(script), [echoTool([])]), runId);
    const { history } = await storedRun(db.database(), runId);
    expect(history.pause?.hook).toBe('onReflection');
    const result = await decide(context, TESTER, runId, { decision: 'allow', pauseId: history.pause?.pauseId });
    expect(result.ok ? '' : result.problem.message).toBe('No agent of the run waits to use a tool.');
  });
});

describe('timeout of a tool approval', () => {
  test.each([
    ['auto', { status: 'finished' }, [{ status: 'refused', text: expect.stringContaining('Nobody answered') }]],
    ['stop', { status: 'stopped', convergenceReason: 'user_stopped' }, []],
  ] as const)('%s', async (onTimeout, ended, observations) => {
    const { context, runId, used, perform } = await waitingRun({ timeoutSeconds: 60, onTimeout });
    const later = { ...context, now: () => new Date(Date.now() + 120_000) };
    expect(await expirePauses(later)).toBe(1);
    const { run, history } = await perform();
    expect(run).toMatchObject(ended);
    expect(history.decisions).toContainEqual(
      expect.objectContaining({ hook: 'onToolCall', decision: onTimeout, by: 'timeout', toolCallId: '0.0' }),
    );
    expect(history.observations).toMatchObject(observations);
    expect(used).toEqual([]);
    expect(runId).toBe(run.id);
  });
});

describe('a webhook', () => {
  test('receives the agent, its thought and the tool call', async () => {
    const { runId } = await waitingRun();
    const stored = await storedRun(db.database(), runId);
    const settings = { ...stored.settings, callbacks: { ...stored.settings.callbacks, webhook: 'gate' } };
    const { pause } = stored.history;
    if (pause === null) throw new Error('no pause');
    const delivery = pauseDelivery({ ...stored, settings }, stored.history, pause, 'id');
    expect(JSON.parse(delivery?.requestBody ?? '')).toMatchObject({
      ...{ hook: 'onToolCall', version: 0, iteration: 0, output: '', evaluation: null },
      ...{ agent: 'main', thought: 'I want to say a.', toolCall: { tool: ECHO, arguments: '{"text":"a"}' } },
    });
  });

  test.each([
    ['allows the call', { decision: 'allow', toolArguments: '{"text":"b"}' }, ['b'], null],
    ['leaves the decision to the rules, which reject the call', { decision: 'auto' }, [], null],
    ['cannot send the reference to the agent', { decision: 'refuse', reason: REFERENCE }, [], /quotes the reference/],
    [
      'cannot send the reference to the tool',
      { decision: 'allow', toolArguments: JSON.stringify({ text: REFERENCE }) },
      [],
      /quotes the reference/,
    ],
    ['cannot override a missing score', { decision: 'override', score: 1 }, [], /does not take a score/],
  ])('%s', async (_name, decision, uses, problem) => {
    const { context, runId, used, perform, pauseId } = await waitingRun();
    const result = await decideAs(context, { by: 'webhook', name: 'gate' }, runId, { pauseId, ...decision });
    expect(result.ok ? null : result.problem.message).toEqual(problem === null ? null : expect.stringMatching(problem));
    const { run } = await perform();
    expect(run.status).toBe(problem === null ? 'finished' : 'waiting');
    expect(used).toEqual(uses);
  });
});
