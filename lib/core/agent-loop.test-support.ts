import type { ToolCall, ToolDefinition, ToolOutcome } from './agents/agent-records.ts';
import { appendResult } from './append-result.ts';
import type { Case } from './case.ts';
import { type Decision, EMPTY_HISTORY, type History } from './history.ts';
import { decisionOf } from './history-of.test-support.ts';
import type { ModelFailureKind, ModelOutcome, ModelRequest } from './model-request.ts';
import { nextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Ending, Step } from './step.ts';
import { NO_SPEND } from './token-usage.ts';

/** Output of a scripted model: an answer, a thought with tool calls (name and arguments), or the kind of failure of its call. */
export type ScriptedResponse =
  | string
  | { thought?: string; use: [tool: string, given: string][] }
  | { fails: ModelFailureKind };

/** Script of a loop with agents. Responses only depend on the request, so a resumed loop gets the same ones. */
export type AgentScript = {
  says: (request: ModelRequest, step: number) => ScriptedResponse;
  uses?: (call: ToolCall) => Partial<ToolOutcome> & { text: string };
  /** The score of an output, 0 to 1. */
  score: (output: string, version: number) => number;
  /** Returns the decision at each pause, or `resume` after an end that can be resumed. */
  decides?: (history: History) => Partial<Decision> & Pick<Decision, 'decision'>;
  resumes?: number;
};

export type AgentLoop = {
  history: History;
  ending: Ending;
  steps: Step[];
  states: History[];
  asked: ModelRequest[];
  used: ToolCall[];
};

const NOW = new Date('2026-01-05T12:00:00.000Z');
const MAX_STEPS = 3_000;
const TASK: Case = { input: 'Do it.', reference: null, tags: [], metadata: {} };

const TOOLS: ToolDefinition[] = ['search', 'lookup', 'danger'].map((name) => ({
  name,
  description: `A tool called ${name}.`,
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
}));

/** Performs a loop step by step with a scripted model and scripted tools, from any state. */
export async function agentLoop(
  settings: ExperimentSettings,
  script: AgentScript,
  from: History = { ...EMPTY_HISTORY, inputLength: TASK.input.length },
): Promise<AgentLoop> {
  let history = from;
  const [steps, states, asked, used]: [Step[], History[], ModelRequest[], ToolCall[]] = [[], [history], [], []];
  const goTo = (next: History) => {
    history = next;
    states.push(next);
  };
  while (steps.length < MAX_STEPS) {
    const step = nextStep(history, settings, NOW);
    steps.push(step);
    if (step.type === 'wait' && history.pause !== null) {
      goTo(decidedAt(history, script));
      continue;
    }
    if (step.type === 'stop') {
      const resumed = history.decisions.filter(({ decision }) => decision === 'resume').length;
      if (!CAN_RESUME.has(step.ending.reason) || resumed >= (script.resumes ?? 0))
        return { history, ending: step.ending, steps, states, asked, used };
      goTo(withDecision({ ...history, failure: null }, { decision: 'resume' }));
      continue;
    }
    let calls = 0;
    const open = history;
    const result = await performStep(step, {
      history: open,
      settings,
      case: TASK,
      call: async (at, request) => {
        calls++;
        asked.push(request);
        return outcomeOf(script.says(request, at), at, request);
      },
      evaluate: async ({ output, version }) => {
        const score = script.score(output, version ?? 0);
        const verdict = {
          ...NO_SPEND,
          status: 'scored' as const,
          overallScore: score,
          criteriaScores: { quality: score },
        };
        const rating = { reasons: {}, satisfactory: score >= settings.qualityThreshold, issues: [], suggestions: [] };
        return {
          ok: true,
          evaluation: { ...verdict, ...rating, confidence: null, feedback: '', detail: '', answer: null },
        };
      },
      toolDefinitions: TOOLS,
      useTool: async (_step, call) => {
        used.push(call);
        return { status: 'ok', durationMs: 3, ...(script.uses?.(call) ?? { text: `found ${call.arguments}` }) };
      },
      now: () => NOW,
      newId: () => `id-${open.step}`,
    });
    if (result === null) throw new Error('nothing is called off here');
    goTo({ ...appendResult(open, result), calls: open.calls + calls });
  }
  throw new Error(`the loop did not end within ${MAX_STEPS} steps`);
}

const CAN_RESUME = new Set(['user_stopped', 'model_failed', 'evaluation_failed', 'cut_off', 'month_budget']);

function decidedAt(history: History, script: AgentScript): History {
  const { pause } = history;
  if (pause === null) throw new Error('nobody is asked');
  const decision = script.decides?.(history) ?? { decision: 'continue' };
  const toolCallId = pause.toolCall?.id ?? null;
  return withDecision(
    { ...history, pause: null },
    { hook: pause.hook, version: pause.version, pauseId: pause.pauseId, toolCallId, ...decision },
  );
}

function withDecision(history: History, given: Partial<Decision> & Pick<Decision, 'decision'>): History {
  const iteration = history.versions.at(-1)?.iteration ?? 0;
  const decision = { ...decisionOf(given.decision, { iteration, ...given }), step: history.step };
  return { ...history, decisions: [...history.decisions, decision] };
}

/** Calls cost different amounts, so that a sum that omits one is detected. */
function outcomeOf(response: ScriptedResponse, step: number, { role, ordinal }: ModelRequest): ModelOutcome {
  const tokens = 10 + (step % 7) + 3 * ordinal;
  const spend = {
    tokenUsage: { input: tokens, output: 1, total: tokens + 1 },
    costUsd: tokens / 1000,
    latencyMs: tokens * 10,
    attempts: 1,
  };
  if (typeof response === 'object' && 'fails' in response)
    return {
      ok: false,
      failure: { kind: response.fails, message: 'no answer', remedy: 'try later', status: null, ...spend },
    };
  const common = { finishReason: 'stop', warnings: [], ...spend };
  if (typeof response === 'string')
    return { ok: true, reply: { ...common, text: role === 'reflect' ? critique(response) : response } };
  const toolCalls = response.use.map(([tool, given]) => ({ id: 'call_0', tool, arguments: given }));
  return { ok: true, reply: { ...common, text: response.thought ?? '', finishReason: 'tool-calls', toolCalls } };
}

function critique(text: string): string {
  return JSON.stringify({ summary: text, issues: [], suggestions: [] });
}
