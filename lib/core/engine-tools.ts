import type { ToolCall, ToolDefinition, ToolOutcome, UseTool } from './agents/agent-records.ts';
import type { Decision, History } from './history.ts';

/** The tools of an engine's agents, such as a toolbox of the tools' room. A text alone is an answer; one that throws has failed. */
export type EngineTools = {
  definitions: readonly ToolDefinition[];
  use: (call: ToolCall) => string | ToolOutcome | Promise<string | ToolOutcome>;
};

/** What code may answer where an agent wants to use a tool that its settings have approved: `arguments` stand in for the agent's. */
export type ToolDecision =
  | 'allow'
  | 'refuse'
  | 'stop'
  | { decision: 'allow'; arguments: string }
  | { decision: 'refuse' | 'stop'; reason: string };

/** The engine's tools as the steps use them. */
export function engineTools({ use }: EngineTools, now: () => Date): UseTool {
  return async (_step, call) => {
    const startedAt = now().getTime();
    const durationMs = () => now().getTime() - startedAt;
    try {
      const answer = await use(call);
      return typeof answer === 'string' ? { status: 'ok', text: answer, durationMs: durationMs() } : answer;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { status: 'failed', text: `${call.tool} failed: ${why}`, durationMs: durationMs() };
    }
  };
}

/** The history after code answered on the use of a tool, on the way to the next version. */
export function withToolDecision(history: History, call: ToolCall, answer: ToolDecision, now: Date): History {
  const given = typeof answer === 'string' ? { decision: answer } : answer;
  const decision: Decision = {
    hook: 'onToolCall',
    version: history.versions.length,
    iteration: history.versions.length,
    decision: given.decision,
    by: 'code',
    actor: null,
    reason: 'reason' in given ? given.reason : null,
    score: null,
    criterion: null,
    guidance: null,
    toolCallId: call.id,
    toolArguments: 'arguments' in given ? given.arguments : null,
    seen: null,
    pauseId: null,
    at: now.toISOString(),
    step: history.step,
  };
  return { ...history, decisions: [...history.decisions, decision] };
}
