import { isRecord } from '#lib/core/is-record.ts';
import { DELEGATE_TOOL } from './agent-names.ts';
import type { ToolCall, ToolOutcome } from './agent-records.ts';
import type { AgentBase, WorkerSettings } from './base-settings.ts';

/** The arguments of a use of a tool as the object they must be; null where the text is none. Never throws. */
export function readArguments(text: string): Record<string, unknown> | null {
  try {
    // Some models write nothing at all for a tool that takes nothing.
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** A task that a supervisor gives to one of its workers. */
export type Delegation = { worker: WorkerSettings; task: string };

type ReadDelegation = ({ ok: true } & Delegation) | ({ ok: false } & Pick<ToolOutcome, 'status' | 'text'>);

/** Reads a use of `delegate`, from the arguments that a person may have changed; what is wrong is told in words for the model. */
export function readDelegation(call: ToolCall, base: Extract<AgentBase, { type: 'supervisor' }>): ReadDelegation {
  const given = readArguments(call.arguments);
  const names = base.workers.map(({ name }) => name).join(', ');
  const form = `${DELEGATE_TOOL} takes a JSON object {"worker": one of ${names}, "task": what it is to do}`;
  if (given === null) return { ok: false, status: 'malformed', text: `The arguments are no JSON object: ${form}.` };
  const { worker: named, task } = given;
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
 * A model's or tool's text as it is kept and asked with: at most so many characters, and none that the database would replace, for a
 * question must be the same whether it is asked at once or after a restart.
 */
export function boundedText(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll('\u0000', '\uFFFD').toWellFormed();
}
