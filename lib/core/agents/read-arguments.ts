import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '../json-values.ts';
import type { ToolCall, ToolOutcome } from './agent-records.ts';
import type { AgentBase, WorkerSettings } from './base-settings.ts';
import { DELEGATE_TOOL } from './tool-calls.ts';

/** Parses the arguments of a tool call as an object. Returns null if the text is not one. Never throws. */
export function readArguments(text: string): Record<string, unknown> | null {
  // Some models send an empty string for a tool without parameters.
  const value = parseJson(text.trim() === '' ? '{}' : text);
  return isRecord(value) ? value : null;
}

/** A task delegated by a supervisor to one of its workers. */
export type Delegation = { worker: WorkerSettings; task: string };

type ReadDelegation = ({ ok: true } & Delegation) | ({ ok: false } & Pick<ToolOutcome, 'status' | 'text'>);

/** Parses a `delegate` call from its arguments, which a person may have changed. Problems are returned as a message to the model. */
export function readDelegation(call: ToolCall, base: Extract<AgentBase, { type: 'supervisor' }>): ReadDelegation {
  const parsed = readArguments(call.arguments);
  const names = base.workers.map(({ name }) => name).join(', ');
  const form = `${DELEGATE_TOOL} takes a JSON object {"worker": one of ${names}, "task": what it is to do}`;
  if (parsed === null) return { ok: false, status: 'malformed', text: `The arguments are no JSON object: ${form}.` };
  const { worker: named, task } = parsed;
  if (typeof named !== 'string') return { ok: false, status: 'malformed', text: `"worker" is missing: ${form}.` };
  if (typeof task !== 'string' || task.trim() === '')
    return { ok: false, status: 'malformed', text: `"task" is missing: ${form}. The worker sees nothing else.` };
  const worker =
    base.workers.find(({ name }) => name === named) ??
    base.workers.find(({ name }) => name.toLowerCase() === named.trim().toLowerCase());
  if (worker === undefined)
    return {
      ok: false,
      status: 'unknown_tool',
      text: `There is no worker ${JSON.stringify(named.slice(0, 80).toWellFormed())}. Give the task to one of these: ${names}.`,
    };
  return { ok: true, worker, task };
}

/**
 * Returns a text of a model or tool as it is stored and sent: truncated, and without characters that the database would replace. A request
 * must be identical before and after a restart.
 */
export function boundedText(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll('\u0000', '\uFFFD').toWellFormed();
}
