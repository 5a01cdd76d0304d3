import { hash } from 'node:crypto';
import type { AppContext } from '#lib/context/app-context.ts';
import {
  MAX_OBSERVATION_LENGTH,
  type ToolCall,
  type ToolOutcome,
  type UseTool,
} from '#lib/core/agents/agent-records.ts';
import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import { ownLessons } from '#lib/core/lesson-form.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { recalledAgent, recallLessons } from '#lib/lessons/recall-lessons.ts';
import { type McpContext, mcpTools } from '#lib/mcp-servers/mcp-tools.ts';
import { saveToolResult } from '#lib/runs/journal.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import type { CallOwner } from '#lib/runs/worker-queries.ts';
import { builtInTools, type SearchLessons } from '#lib/tools/built-in-tools.ts';
import { makeToolbox, type Toolbox } from '#lib/tools/toolbox.ts';

/** Maximum estimated tokens of all results of one search. */
const TOKEN_BUDGET = 3_000;

/** Returns a search by words over the promoted lessons that runs with these settings may use. `without`: IDs to leave out. */
export function searchLessons(
  database: Database,
  { lessons, taskType }: Pick<ExperimentSettings, 'lessons' | 'taskType'>,
  without: string[],
): SearchLessons {
  return async (query, most) => {
    const found = await recallLessons(
      database,
      {
        store: 'recall',
        block: '',
        topK: most,
        tokenBudget: TOKEN_BUDGET,
        pinned: [],
        agent: recalledAgent(lessons),
        taskType,
        tools: [],
        without,
        input: query,
      },
      null,
    );
    return found?.lessons ?? null;
  };
}

/** Opens the tools of a run's agents, once each time a worker performs the run. */
export type ToolboxOf = (stored: Pick<StoredRun, 'settings' | 'history'>) => Promise<Toolbox>;

/** Returns a function that opens the tools named in settings: built-in ones and those of MCP servers. Missing tools are left out. */
export function toolboxOf(context: McpContext & Pick<AppContext, 'addresses'>): ToolboxOf {
  return async ({ settings, history }) => {
    const { base } = settings.generator;
    const named = toolsOf(base);
    const without = ownLessons(history.lessons, settings).map(({ id }) => id);
    const builtIn = builtInTools({
      httpHosts: base.type === 'single' ? [] : base.httpHosts,
      addresses: context.addresses,
      searchLessons: searchLessons(context.database, settings, without),
    });
    return makeToolbox([
      ...builtIn.filter(({ definition }) => named.has(definition.name)),
      ...(await mcpTools(context, named)),
    ]);
  };
}

/** Returns the names of all tools that the agents of a base may use. */
function toolsOf(base: BaseSettings): Set<string> {
  switch (base.type) {
    case 'single':
      return new Set();
    case 'react':
      return new Set(base.tools);
    case 'supervisor':
      return new Set([...base.tools, ...base.workers.flatMap(({ tools }) => tools)]);
  }
}

type Journal = {
  database: Pick<Database, 'pool'>;
  owner: CallOwner;
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

/**
 * Uses tools for the steps of a run and stores each result immediately. A step that is repeated after a crash or a decision finds the
 * result and does not use the tool again. Only a use in flight during a crash is repeated. Results stay in memory until the step changes,
 * or until `forget` is called with the ID prefixes of their calls.
 */
export function recordedTools(journal: Journal): { use: UseTool; discard: (prefixes: readonly string[]) => void } {
  const { database, owner, stopping } = journal;
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
    const row = { owner, step, callId: call.id, fingerprint };
    await retryWhileUnreachable(() => saveToolResult(database, row, outcome, journal.now()), stopping);
    if (step === openStep) outcomes.set(key, outcome);
    return outcome;
  };
  const discard = (prefixes: readonly string[]) => {
    if (prefixes.length === 0) return;
    for (const key of outcomes.keys()) if (prefixes.some((prefix) => key.startsWith(prefix))) outcomes.delete(key);
  };
  return { use, discard };
}

/** Returns the SHA-256 of the tool and its arguments. */
function fingerprintOf({ tool, arguments: given }: ToolCall): string {
  return hash('sha256', JSON.stringify([tool, given]));
}
