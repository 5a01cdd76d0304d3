import { MAIN_AGENT } from '#lib/core/agents/agent-names.ts';
import type { ObservationStatus } from '#lib/core/agents/observation-status.ts';
import { isRecord } from '#lib/core/is-record.ts';
import type { VersionRecord } from '#lib/core/run-record.ts';
import { CUT_OFFS, type CutOff } from '#lib/core/step.ts';
import { formatCost, formatCount, formatNumberOf } from '#lib/format.ts';
import type { ToolUse, WaySums } from './agent-steps.ts';

/** What an agent did, in numbers: `6 turns, 9 tool calls, 3 more omitted, 1 without a result, 12,300 tokens, $0.0021`. */
export function waySumLabel({ turns, uses, leftOut, failed, tokens, costUsd }: WaySums): string {
  return [
    formatNumberOf(turns, 'turn'),
    uses === 0 ? 'no tool calls' : formatNumberOf(uses, 'tool call'),
    ...(leftOut === 0 ? [] : [`${formatCount(leftOut)} more omitted`]),
    ...(failed === 0 ? [] : [`${formatCount(failed)} without a result`]),
    `${formatCount(tokens)} tokens`,
    ...(costUsd === null ? [] : [formatCost(costUsd, false)]),
  ].join(', ');
}

/** Why there is no result of a tool, in a word or two; null where there is one. */
export function statusLabel(status: ObservationStatus): string | null {
  switch (status) {
    case 'ok':
      return null;
    case 'failed':
      return 'failed';
    case 'timed_out':
      return 'timed out';
    case 'unknown_tool':
      return 'no such tool';
    case 'malformed':
      return 'wrong arguments';
    case 'refused':
      return 'refused';
  }
}

/** What was decided on the use of a tool, and by whom: `◆ allowed by Ada`. Null where nobody was asked. */
export function saidLabel({ said }: Pick<ToolUse, 'said'>): string | null {
  if (said === null) return null;
  const who = said.by === 'timeout' ? 'the timeout' : (said.actor ?? (said.by === 'policy' ? 'the rules' : said.by));
  if (said.decision === 'refuse') return `refused by ${who}`;
  return said.toolArguments === null ? `allowed by ${who}` : `allowed by ${who} with changed arguments`;
}

/** Whose turn it is: `Turn 3`, or `reader, turn 3` for a worker. */
export function turnTitle({ agent, number }: { agent: string; number: number }): string {
  return agent === MAIN_AGENT ? `Turn ${number + 1}` : `${agent}, turn ${number + 1}`;
}

/** Why an agent was stopped before its answer; null for a version that its agent, or a single call, finished. */
export function cutOffOf({
  finishReason,
  interrupted,
}: Pick<VersionRecord, 'finishReason' | 'interrupted'>): CutOff | null {
  return interrupted ? (CUT_OFFS.find((one) => one === finishReason) ?? 'no_answer') : null;
}

/** The same for people, as a sentence. */
export function cutOffSentence(cutOff: CutOff): string {
  switch (cutOff) {
    case 'turn_limit':
      return 'The agent used all its turns without an answer.';
    case 'stalled':
      return 'The agent repeated the same calls.';
    case 'no_answer':
      return 'The agent neither called a tool nor answered.';
    case 'budget':
      return 'The next turn of the agent would exceed a budget.';
  }
}

/**
 * Arguments as they are shown: JSON laid out over lines where it is JSON; `short` is on one line. Characters that are not seen, or that turn
 * round what stands beside them, are written as JSON escapes, which mean the same where they stand in a text.
 */
export function argumentsText(text: string): { full: string; short: string } {
  let full = text;
  try {
    full = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // What a model wrote need not be JSON: it is shown as it is.
  }
  return { full: withoutDisguise(full), short: withoutDisguise(text.replace(/\s+/g, ' ').trim()) };
}

/** Format characters (directions, zero widths, tags), separators of lines and all control characters but tab and line ends. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n\r])\p{Cc}/gu;

function withoutDisguise(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, unit) =>
      character.charCodeAt(unit).toString(16).toUpperCase().padStart(4, '0'),
    )
      .map((code) => `\\u${code}`)
      .join(''),
  );
}

/** The worker and the task of a delegation as far as they can be read; null where they can't. */
export function delegationOf(text: string): { worker: string; task: string } | null {
  try {
    const read: unknown = JSON.parse(text);
    if (!isRecord(read)) return null;
    const { worker, task } = read;
    return typeof worker === 'string' && typeof task === 'string' ? { worker, task } : null;
  } catch {
    return null;
  }
}
