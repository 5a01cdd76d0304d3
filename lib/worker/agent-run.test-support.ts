import type { AppContext } from '#lib/context/app-context.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import type { ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { findRun } from '#lib/runs/queries.ts';
import { CALL_SPEND, verdict } from '#lib/testing/scripted-loop.test-support.ts';
import { testWorkerContext } from '#lib/testing/test-context.ts';
import { makeToolbox } from '#lib/tools/make-toolbox.ts';
import type { Tool } from '#lib/tools/toolbox.ts';
import type { WorkerContext } from './perform-run.ts';

/**
 * What a scripted agent does in a turn: a text is its answer; else the tools it uses, with what they are given. `leftOut`: how many more
 * its caller says it asked for.
 */
type ScriptedTurn = string | { thought?: string; calls: [tool: string, given: object | string][]; leftOut?: number };
/** The turns of each agent in their order, by its prompt; the last one again and again. */
export type AgentScript = (request: ModelRequest) => ScriptedTurn[];

/** A model whose agents follow a script; its judge gives `score` to every output, by a text it looks for. */
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
          toolCalls: calls.map(([tool, given], place) => ({
            ...{ id: `theirs-${place}`, tool },
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

/** Settings of a run whose attempts an agent makes, and a model judges. */
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

/** The name that the tool of these tests goes by: settings name no tools but those that there are. */
export const ECHO = 'javascript';

/** A tool that notes how it was used and says it again, in the place of a built-in one. */
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

/** A worker's worker whose runs have these tools. */
export function agentWorkerContext(
  context: AppContext,
  call: WorkerContext['call'],
  tools: Tool[],
  signal?: AbortSignal,
): WorkerContext {
  return { ...testWorkerContext(context, call, signal), openTools: async () => makeToolbox(tools) };
}

export async function storedRun(database: Database, runId: string) {
  const stored = await loadRun(database, runId);
  if (stored === null) throw new Error('no such run');
  return stored;
}

export async function recordOf(database: Database, runId: string): Promise<RunRecord> {
  const found = await findRun(database, runId);
  if (found === null) throw new Error('no such run');
  return found.record;
}
