import type { ExperimentSettings } from '#lib/core/settings.ts';

/** The agent whose lessons a run may be given besides those for all agents; null: those of every agent. */
export function recalledAgent({ agent, recallAgents }: ExperimentSettings['lessons']): string | null {
  return recallAgents === 'all' ? null : agent;
}
