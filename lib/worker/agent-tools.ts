import type { ToolDefinition, UseTool } from '#lib/core/agents/agent-records.ts';
import { EXAMPLE_SCORES_STEP } from '#lib/core/tuning/due-try.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import type { Interruption } from '#lib/live/interrupt.ts';
import type { Claim } from '#lib/runs/claim-run.ts';
import { savedToolResults } from '#lib/runs/journal.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import type { Toolbox } from '#lib/tools/toolbox.ts';
import type { Ownership } from './claim-ownership.ts';
import { recordedTools } from './run-tools.ts';
import { tracedUse } from './traced-run.ts';
import type { WorkerContext } from './worker-context.ts';

export type AgentTools = {
  services: { toolDefinitions?: readonly ToolDefinition[]; useTool?: UseTool };
  /** Discards the tool results whose call IDs have one of these prefixes. */
  discard: (prefixes: readonly string[]) => void;
};

/** Returns the tools of the run's agents, with each use stored in the journal. Empty if attempts are single calls. */
export async function agentTools(
  { database, openTools, now, signal }: WorkerContext,
  stored: StoredRun,
  {
    isUntouched,
    interruption,
    claim,
    ownership,
  }: { isUntouched: boolean; interruption: Interruption; claim: Claim; ownership: Ownership },
): Promise<AgentTools> {
  if (stored.settings.generator.base.type === 'single') return { services: {}, discard: () => undefined };
  const openStep = stored.settings.mode === 'tune' ? EXAMPLE_SCORES_STEP : stored.history.step;
  const open = (): Promise<[Toolbox, Awaited<ReturnType<typeof savedToolResults>>]> =>
    Promise.all([openTools(stored), isUntouched ? new Map() : savedToolResults(database, stored.run.id, openStep)]);
  const [toolbox, saved] = await retryWhileUnreachable(open, signal);
  const traced = tracedUse(toolbox.use);
  const { use: useTool, discard } = recordedTools({
    ...{ database, owner: claim, saved, now, stopping: signal },
    use: async (call, stopped) => ((await ownership.isSure()) ? traced(call, stopped) : null),
    signal: () => interruption.signal(),
  });
  return { services: { toolDefinitions: toolbox.definitions, useTool }, discard };
}
