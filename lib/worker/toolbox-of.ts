import type { AppContext } from '#lib/context/app-context.ts';
import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import { ownLessons } from '#lib/core/lesson-form.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { recalledAgent, recallLessons } from '#lib/lessons/recall-lessons.ts';
import { type McpContext, mcpTools } from '#lib/mcp-servers/mcp-tools.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { builtInTools } from '#lib/tools/built-in-tools.ts';
import type { SearchLessons } from '#lib/tools/lesson-search-tool.ts';
import { makeToolbox } from '#lib/tools/make-toolbox.ts';
import type { Toolbox } from '#lib/tools/toolbox.ts';

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
