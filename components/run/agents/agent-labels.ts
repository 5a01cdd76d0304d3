import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { DELEGATE_TOOL, MAIN_AGENT, type ObservationStatus } from '#lib/core/agents/tool-calls.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { CUT_OFFS, type CutOff } from '#lib/core/step.ts';
import { formatCost, formatCount, formatNumberOf } from '#lib/format.ts';
import type { StepTotals, ToolUse } from './agent-steps.ts';

/** Returns the totals of an agent: `6 turns, 9 tool calls, 3 more omitted, 1 without a result, 12,300 tokens, $0.0021`. */
export function stepTotalsLabel({ turns, uses, leftOut, failed, tokens, costUsd }: StepTotals): string {
  return [
    formatNumberOf(turns, 'turn'),
    uses === 0 ? 'no tool calls' : formatNumberOf(uses, 'tool call'),
    ...(leftOut === 0 ? [] : [`${formatCount(leftOut)} more omitted`]),
    ...(failed === 0 ? [] : [`${formatCount(failed)} without a result`]),
    `${formatCount(tokens)} tokens`,
    ...(costUsd === null ? [] : [formatCost(costUsd, false)]),
  ].join(', ');
}

/** Returns a short reason for a missing tool result. Null if there is a result. */
export function statusLabel(status: ObservationStatus): string | null {
  const texts: Record<typeof status, string | null> = {
    ok: null,
    failed: 'failed',
    timed_out: 'timed out',
    unknown_tool: 'no such tool',
    malformed: 'wrong arguments',
    refused: 'refused',
  };
  return texts[status];
}

/** Returns the decision on a tool call and who made it: `◆ allowed by Ada`. Null if no approval was needed. */
export function toolDecisionLabel({ decision }: Pick<ToolUse, 'decision'>): string | null {
  if (decision === null) return null;
  const who =
    decision.by === 'timeout'
      ? 'the timeout'
      : (decision.actor ?? (decision.by === 'policy' ? 'the rules' : decision.by));
  if (decision.decision === 'refuse') return `refused by ${who}`;
  return decision.toolArguments === null ? `allowed by ${who}` : `allowed by ${who} with changed arguments`;
}

/** Returns the title of a turn: `Turn 3`, or `reader, turn 3` for a worker. */
export function turnTitle({ agent, number }: { agent: string; number: number }): string {
  return agent === MAIN_AGENT ? `Turn ${number + 1}` : `${agent}, turn ${number + 1}`;
}

/** Returns why an agent was stopped before its final output. Null if the agent, or a single call, finished it. */
export function cutOffOf({
  finishReason,
  interrupted,
}: Pick<VersionRecord, 'finishReason' | 'interrupted'>): CutOff | null {
  return interrupted ? (CUT_OFFS.find((one) => one === finishReason) ?? 'no_answer') : null;
}

/** Returns the same reason as a sentence. */
export function cutOffSentence(cutOff: CutOff): string {
  const texts: Record<typeof cutOff, string> = {
    turn_limit: 'The agent used all its turns without an answer.',
    stalled: 'The agent repeated the same calls.',
    no_answer: 'The agent neither called a tool nor answered.',
    budget: 'The next turn of the agent would exceed a budget.',
  };
  return texts[cutOff];
}

/**
 * Formats arguments for display: indented if they are JSON, and `short` on one line. Invisible and bidirectional control characters are
 * written as JSON escapes, which are equivalent within a string.
 */
export function argumentsText(text: string): { full: string; short: string } {
  let full = text;
  try {
    full = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Model output need not be valid JSON. Show it unchanged.
  }
  return { full: escapeInvisibleCharacters(full), short: escapeInvisibleCharacters(text.replace(/\s+/g, ' ').trim()) };
}

/** Format characters (directions, zero widths, tags), line separators, and all control characters except tabs and line ends. */
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n\r])\p{Cc}/gu;

function escapeInvisibleCharacters(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, (character) =>
    Array.from({ length: character.length }, (_, unit) =>
      character.charCodeAt(unit).toString(16).toUpperCase().padStart(4, '0'),
    )
      .map((code) => `\\u${code}`)
      .join(''),
  );
}

/** Parses the worker and task of a delegation. Null if invalid. */
export function delegationOf(text: string): { worker: string; task: string } | null {
  const read = parseJson(text);
  if (!isRecord(read)) return null;
  const { worker, task } = read;
  return typeof worker === 'string' && typeof task === 'string' ? { worker, task } : null;
}

/** Pause before a tool call of an agent. */
export type ToolPause = NonNullable<RunRecord['waitingFor']> & { toolCall: ToolCall };

/** Returns the current pause of a run if it waits for the approval of a tool call, otherwise null. */
export function toolPauseOf({ waitingFor }: Pick<RunRecord, 'waitingFor'>): ToolPause | null {
  if (waitingFor === null || waitingFor.hook !== 'onToolCall' || waitingFor.toolCall === null) return null;
  return { ...waitingFor, toolCall: waitingFor.toolCall };
}

/** Returns the name of the agent that requests the tool call: `The agent`, or the name of a worker. */
export function toolRequesterLabel({ turns }: Pick<RunRecord, 'turns'>, { version, toolCall }: ToolPause): string {
  const turn = turns.findLast((one) => one.version === version && one.calls.some(({ id }) => id === toolCall.id));
  return turn === undefined || turn.agent === MAIN_AGENT ? 'The agent' : turn.agent;
}

/** Returns the request as a phrase: `wants to use http_get`, `wants to give reader a task`. */
export function toolRequestLabel({ tool, arguments: text }: ToolCall): string {
  const delegation = tool === DELEGATE_TOOL ? delegationOf(text) : null;
  return delegation === null ? `wants to use ${tool}` : `wants to give ${delegation.worker} a task`;
}

/** Returns the problem with arguments edited by a person, or null if they can be sent. */
export function argumentsProblem(text: string): string | null {
  const read = parseJson(text);
  if (read === undefined) return 'must be JSON: check quotes, commas and brackets';
  return isRecord(read) ? null : 'must be a JSON object, such as {"expression": "2 + 2"}';
}
