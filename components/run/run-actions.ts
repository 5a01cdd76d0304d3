import { submitApi } from '#components/api/call-api.ts';
import type { RunLimits } from '#lib/core/budget-settings.ts';
import type { DecisionKind } from '#lib/core/decision-kinds.ts';
import type { Result } from '#lib/core/problem.ts';

/** A person's decision at a pause or action on a run, in the shape of the API's decisions. */
export type DecisionInput = {
  decision: Exclude<DecisionKind, 'auto' | 'resume'>;
  pauseId?: string;
  version?: number;
  guidance?: string;
  output?: string;
  parents?: [number, number];
  score?: number;
  criterion?: string;
  /** With `allow`: JSON that replaces the agent's arguments. */
  toolArguments?: string;
  reason?: string;
};

/** Sends a decision on a run. Rejects if Hone does not respond. */
export function decideOnRun(runId: string, body: DecisionInput): Promise<Result<unknown>> {
  return submitApi('POST /api/v1/runs/{id}/decisions', { params: { id: runId }, body });
}

/** Actions that start or continue a run, passed in as server actions bound to the run. */
export type RunActions = {
  /** Resumes the run. A run that stopped at one of its limits receives new limits. */
  resume: (input?: { budget: 'experiment' | Partial<Record<keyof RunLimits, unknown>> }) => Promise<Result<unknown>>;
  /** Starts a new run from the text of a version or an edited copy. */
  branch: (version: number, output?: string) => Promise<Result<{ runId: string }>>;
};
