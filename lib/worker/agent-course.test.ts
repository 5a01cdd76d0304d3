import { expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import { CALL_SPEND } from '#lib/testing/scripted-loop.test-support.ts';
import { recordOf, storedRun, TESTER, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import {
  type AgentScript,
  agentModel,
  agentSettings,
  ECHO,
  echoTool,
  performScripted,
} from './agent-run.test-support.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const TASK = { input: 'What is it?' };
const CALL_TOKENS = CALL_SPEND.tokenUsage.total;
const echo = (text: string): { thought: string; calls: [string, object][] } => ({
  thought: `say ${text}`,
  calls: [[ECHO, { text }]],
});

test('a cut-off draft ends the run; resuming retries the draft and counts each call once', async () => {
  const settings = agentSettings({ type: 'react', tools: [ECHO], maxSteps: 2 }, { mode: 'revise' });
  let script: AgentScript = () => [echo('a'), echo('b')];
  const model = agentModel((request) => script(request));
  const { context, worker, runId, ...failed } = await performScripted(db.database(), settings, TASK, model);
  expect(failed.run).toMatchObject({ status: 'failed', convergenceReason: 'cut_off' });
  expect(failed.history.versions).toMatchObject([{ interrupted: true, finishReason: 'turn_limit', output: 'say b' }]);

  script = () => ['It is this.'];
  unwrap(await resumeRun(context, TESTER, runId));
  await performRun(worker, runId);
  const { run, history } = await storedRun(db.database(), runId);
  expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', finalVersion: 1 });
  expect(history.versions.map(({ output, origin, iteration }) => [output, origin, iteration])).toEqual([
    ['say b', 'generated', 0],
    ['It is this.', 'generated', 0],
  ]);
  // Two cut-off turns, one retried turn, and one evaluation of the second draft.
  expect(run.tokenUsage.input + run.tokenUsage.output).toBe(4 * CALL_TOKENS);
  expect(spendOfRun(history).tokenUsage.total).toBe(4 * CALL_TOKENS);
});

test('an attempt cut off by the call budget ends the run with call_budget and keeps its turns', async () => {
  const base = { type: 'react' as const, tools: [ECHO], maxSteps: 50 };
  const settings = agentSettings(base, { budget: { maxCalls: 6 }, maxAttempts: 9 });
  const script: AgentScript = () => Array.from({ length: 50 }, (_, turn) => echo(`${turn}`));
  const { run, history } = await performScripted(db.database(), settings, TASK, agentModel(script));
  expect(run).toMatchObject({ status: 'finished', convergenceReason: 'call_budget', callCount: 5 });
  // The sixth call is reserved for evaluating an answer.
  expect(history.versions).toMatchObject([{ interrupted: true, finishReason: 'budget', output: 'say 4' }]);
  expect(history.turns).toHaveLength(5);
});

test('critiques between turns are stored, added to the conversation and included in the run record', async () => {
  const settings = agentSettings(
    { type: 'react', tools: [ECHO, 'calculator'], maxSteps: 8 },
    { triggers: { stepInterval: 2, onTools: ['calculator'] } },
  );
  const announced: number[] = [];
  const script: AgentScript = ({ conversation }) => {
    announced.push(conversation?.messages.filter(({ role }) => role === 'user').length ?? 0);
    return [echo('a'), echo('b'), { calls: [['calculator', { expression: '1+1' }]] }, 'Two.'];
  };
  const tools = [echoTool([]), { ...echoTool([]), definition: { ...echoTool([]).definition, name: 'calculator' } }];
  const anything = { type: 'object', properties: {} };
  const open = tools.map((tool) => ({ ...tool, definition: { ...tool.definition, parameters: anything } }));
  const { runId, run, history } = await performScripted(db.database(), settings, TASK, agentModel(script), open);
  expect(run.convergenceReason).toBe('quality_met');
  expect(history.critiques.map(({ trigger, version }) => [trigger, version])).toEqual([
    ['step_interval', 0],
    ['tool_result', 0],
  ]);
  expect(announced).toEqual([0, 0, 1, 2]);
  const record = await recordOf(db.database(), runId);
  expect(record.versions[0]?.critiques.map(({ trigger }) => trigger)).toEqual(['step_interval', 'tool_result']);
  expect(record.versions[0]?.totalSpend.tokenUsage.total).toBe(record.tokenUsage.total);
});
