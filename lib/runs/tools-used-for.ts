import { DELEGATE_TOOL } from '#lib/core/agents/agent-records.ts';
import type { History } from '#lib/core/history.ts';

/** The tools that agents used on their way to a version, each once, in the order of their first use; delegating is none. */
export function toolsUsedFor({ turns }: Pick<History, 'turns'>, version: number): string[] {
  const used = turns.filter((turn) => turn.version === version).flatMap(({ calls }) => calls.map(({ tool }) => tool));
  return [...new Set(used)].filter((tool) => tool !== DELEGATE_TOOL);
}
