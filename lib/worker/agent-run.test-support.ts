import type { AppContext } from '#lib/context/app-context.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import type { ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { CALL_SPEND, verdict } from '#lib/testing/scripted-loop.test-support.ts';
import { queuedRun, storedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { makeToolbox, type Tool } from '#lib/tools/toolbox.ts';
import { performRun } from './perform-run.ts';
import type { WorkerContext } from './worker-context.ts';

/**
 * A scripted turn of an agent: its answer as text, or the tools it calls with their arguments. `leftOut`: number of further requested calls
 * that the model caller reports as omitted.
 */
type ScriptedTurn = string | { thought?: string; calls: [tool: string, given: object | string][]; leftOut?: number };
/** Returns the turns of an agent, selected by its prompt. The last turn repeats. */
export type AgentScript = (request: ModelRequest) => ScriptedTurn[];

/** Returns a model whose agents follow a script. Its judge scores each prompt with `score`, which searches it for a text. */
export function agentModel(script: AgentScript, score: (output: string) => number = () => 1) {
  return async (request: ModelRequest): Promise<ModelOutcome> => {
    const reply = (
      text: string,
      calls: [string, object | string][] = [],
      { thought, leftOut }: { thought?: string; leftOut?: number } = {},
    ): ModelOutcome => ({
      ok: true,
      reply: {
        ...{ text, finishReason: calls.length > 0 ? 'tool-calls' : 'stop', attempts: 1, warnings: [], ...CALL_SPEND },
        ...(thought !== undefined && { thought }),
        ...(leftOut !== undefined && { callsLeftOut: leftOut }),
        ...(calls.length > 0 && {
          toolCalls: calls.map(([tool, given], index) => ({
            ...{ id: `theirs-${index}`, tool },
            arguments: typeof given === 'string' ? given : JSON.stringify(given),
          })),
        }),
      },
    });
    if (request.role === 'evaluate') return reply(JSON.stringify(verdict({ right: score(request.prompt) })));
    if (request.role !== 'turn') return reply(`${request.role}: ask the checker first.`);
    const turns = script(request);
    const made = request.conversation?.messages.filter(({ role }) => role === 'assistant').length ?? 0;
    const turn = turns[Math.min(made, turns.length - 1)] ?? '';
    if (typeof turn === 'string') return reply(turn, [], { thought: 'That is it.' });
    const { thought = '', calls, leftOut } = turn;
    return reply(thought, calls, leftOut === undefined ? {} : { leftOut });
  };
}

/** Returns settings of a run whose attempts are made by an agent and judged by a model. */
export function agentSettings(
  base: ExperimentSettingsInput['generator']['base'],
  more: Partial<ExperimentSettingsInput> = {},
): ExperimentSettingsInput {
  return {
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1', base },
    criteria: [{ name: 'right', threshold: 0, evaluator: 'llm' }],
    qualityThreshold: 0.8,
    maxAttempts: 3,
    convergence: null,
    ...more,
  };
}

/** Name of the test tool. It uses the name of a built-in tool, because settings may only name existing tools. */
export const ECHO = 'javascript';

/** Returns a tool that records its input and echoes it, in place of a built-in one. */
export function echoTool(used: string[]): Tool {
  return {
    definition: {
      name: ECHO,
      description: 'Says what it is given.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
    timeoutMs: null,
    run: async ({ text }) => {
      used.push(String(text));
      return { status: 'ok', text: `echo of ${String(text)}` };
    },
  };
}

/** Returns a worker context whose runs have these tools. */
export function agentWorkerContext(
  context: AppContext,
  call: WorkerContext['call'],
  tools: Tool[],
  signal?: AbortSignal,
): WorkerContext {
  return { ...testWorkerContext(context, call, signal), openTools: async () => makeToolbox(tools) };
}

/** Queues a run, performs it with this model and these tools, and returns it as stored. */
export async function performScripted(
  database: Database,
  settings: ExperimentSettingsInput,
  task: Parameters<typeof queuedRun>[2],
  model: WorkerContext['call'],
  tools: Tool[] = [echoTool([])],
) {
  const context = testContext(database);
  const runId = await queuedRun(context, settings, task);
  const worker = agentWorkerContext(context, model, tools);
  await performRun(worker, runId);
  return { context, worker, runId, ...(await storedRun(database, runId)) };
}
