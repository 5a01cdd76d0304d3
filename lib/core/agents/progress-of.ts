import type { History } from '../history.ts';
import type { AgentSteps } from './agent-progress.ts';

/** What agents did on their way to a version, which there need not be yet. */
export function agentSteps(
  { turns, observations, decisions }: Pick<History, 'turns' | 'observations' | 'decisions'>,
  version: number,
): AgentSteps {
  return {
    turns: turns.filter((turn) => turn.version === version),
    observations: observations.filter((observation) => observation.version === version),
    decisions,
  };
}
