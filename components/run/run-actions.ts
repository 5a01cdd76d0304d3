import type { RunLimits } from '#lib/core/budget-settings.ts';
import type { DecisionKind } from '#lib/core/decision-kinds.ts';
import type { Result } from '#lib/core/problem.ts';

/** What a person answers at a pause or does to a run; the shape of the API's decisions. */
export type DecisionInput = {
  decision: Exclude<DecisionKind, 'auto' | 'resume'>;
  pauseId?: string;
  version?: number;
  guidance?: string;
  output?: string;
  parents?: [number, number];
  score?: number;
  criterion?: string;
  /** With `allow`: JSON that takes the place of the agent's arguments. */
  toolArguments?: string;
  reason?: string;
};

/** What the run page can do, handed in by the page: server actions bound to the run. */
export type RunActions = {
  decide: (input: DecisionInput) => Promise<Result<unknown>>;
  stop: () => Promise<Result<unknown>>;
  /** Resumes it. A run that ended at one of its limits gets new limits. */
  resume: (input?: { budget: 'experiment' | Partial<RunLimits> }) => Promise<Result<unknown>>;
  /** Starts a new run from the text of a version, or from an edit of it. */
  branch: (version: number, output?: string) => Promise<Result<{ runId: string }>>;
  rescore: (version: number, times: number) => Promise<Result<unknown>>;
};
