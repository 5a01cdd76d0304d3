import { hash } from 'node:crypto';
import {
  MAX_OBSERVATION_LENGTH,
  type ToolCall,
  type ToolOutcome,
  type UseTool,
} from '#lib/core/agents/agent-records.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { saveToolResult } from '#lib/runs/journal.ts';
import type { CallOwner } from '#lib/runs/worker-queries.ts';

type Journal = {
  database: Pick<Database, 'pool'>;
  keeper: CallOwner;
  /** Uses a tool. Returns null if aborted. */
  use: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome | null>;
  /** Results of tools in the open step from before a crash, by `callId fingerprint`. */
  saved: ReadonlyMap<string, ToolOutcome>;
  /** Abort signal of the operation in progress. */
  signal: () => AbortSignal;
  /** Abort signal of the worker. Until it aborts, an unreachable database is waited for. */
  stopping: AbortSignal;
  now: () => Date;
};

/** Maximum time a result waits for an unreachable database, in milliseconds. */
const DATABASE_AWAY_MS = 300_000;

/**
 * Uses tools for the steps of a run and stores each result immediately. A step that is repeated after a crash or a decision finds the
 * result and does not use the tool again. Only a use in flight during a crash is repeated. Results stay in memory until the step changes,
 * or until `forget` is called with the ID prefixes of their calls.
 */
export function recordedTools(journal: Journal): { use: UseTool; forget: (prefixes: readonly string[]) => void } {
  const { database, keeper, stopping } = journal;
  const outcomes = new Map(journal.saved);
  let openStep: number | null = null;
  const use: UseTool = async (step, call) => {
    openStep ??= step;
    if (step !== openStep) outcomes.clear();
    openStep = step;
    const fingerprint = fingerprintOf(call);
    const key = `${call.id} ${fingerprint}`;
    const known = outcomes.get(key);
    if (known !== undefined) return known;
    const used = await journal.use(call, journal.signal());
    if (used === null) return null;
    const outcome = { ...used, text: cleanText(used.text.slice(0, MAX_OBSERVATION_LENGTH)) };
    const row = { keeper, step, callId: call.id, fingerprint };
    await retryWhileUnreachable(
      () => saveToolResult(database, row, outcome, journal.now()),
      DATABASE_AWAY_MS,
      stopping,
    );
    if (step === openStep) outcomes.set(key, outcome);
    return outcome;
  };
  const forget = (prefixes: readonly string[]) => {
    if (prefixes.length === 0) return;
    for (const key of outcomes.keys()) if (prefixes.some((prefix) => key.startsWith(prefix))) outcomes.delete(key);
  };
  return { use, forget };
}

/** Returns the SHA-256 of the tool and its arguments. */
function fingerprintOf({ tool, arguments: given }: ToolCall): string {
  return hash('sha256', JSON.stringify([tool, given]));
}
