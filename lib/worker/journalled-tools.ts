import { hash } from 'node:crypto';
import { LONGEST_OBSERVATION, type ToolCall, type ToolOutcome, type UseTool } from '#lib/core/agents/agent-records.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { whileUnreachable } from '#lib/database/while-unreachable.ts';
import { saveToolResult } from '#lib/runs/journal.ts';
import type { CallKeeper } from '#lib/runs/worker-queries.ts';

type Journal = {
  database: Pick<Database, 'pool'>;
  keeper: CallKeeper;
  /** Uses a tool; null when it was called off. */
  use: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome | null>;
  /** What tools answered in the open step before a crash, by `callId fingerprint`. */
  saved: ReadonlyMap<string, ToolOutcome>;
  /** The signal of what is under way. */
  signal: () => AbortSignal;
  /** That of the worker: while the database is away it waits until then. */
  stopping: AbortSignal;
  now: () => Date;
};

/** How long a result waits for a database that is away, in milliseconds. */
const DATABASE_AWAY_MS = 300_000;

/**
 * Uses tools for steps of a run. What came of it is kept at once: a step that is done again, after a kill or a decision, finds it and
 * uses no tool twice. One that is in flight when the process is killed is used once more. Results are held in memory until the step
 * changes, or until `forget` is called with the prefixes of their calls' ids.
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
    const place = `${call.id} ${fingerprint}`;
    const known = outcomes.get(place);
    if (known !== undefined) return known;
    const used = await journal.use(call, journal.signal());
    if (used === null) return null;
    const outcome = { ...used, text: cleanText(used.text.slice(0, LONGEST_OBSERVATION)) };
    const kept = { keeper, step, callId: call.id, fingerprint };
    await whileUnreachable(() => saveToolResult(database, kept, outcome, journal.now()), DATABASE_AWAY_MS, stopping);
    if (step === openStep) outcomes.set(place, outcome);
    return outcome;
  };
  const forget = (prefixes: readonly string[]) => {
    if (prefixes.length === 0) return;
    for (const place of outcomes.keys())
      if (prefixes.some((prefix) => place.startsWith(prefix))) outcomes.delete(place);
  };
  return { use, forget };
}

/** SHA-256 of the tool and what it is given. */
function fingerprintOf({ tool, arguments: given }: ToolCall): string {
  return hash('sha256', JSON.stringify([tool, given]));
}
