import { z } from 'zod';

/** Number of calls of a run with `retrySettings`. */
export const CALLS_PER_RUN = 6;
export const MODEL = 'canned-1';

/** Returns the unique input of a run. */
export function taskOf(run: number): string {
  return `Case ${run}: a train leaves at 9:${String(run % 60).padStart(2, '0')} and travels 240 km at 80 km/h. When does it arrive? Think it through, then answer as Finish[time].`;
}

/** Models of the canned server. Each has its own kind of response. */
export const MODELS = ['writer', 'judge', 'critic'] as const;
export type CannedModel = (typeof MODELS)[number];

/** The settings of each workload, without models, and the sequence of models that a run calls. */
export const WORKLOADS = {
  retry: {
    settings: { mode: 'retry', maxAttempts: 3 },
    calls: ['writer', 'judge', 'writer', 'judge', 'writer', 'judge'],
  },
  revise: {
    settings: { mode: 'revise', maxIterations: 2, revision: { strategy: 'full_rewrite' } },
    calls: ['writer', 'judge', 'critic', 'writer', 'judge', 'critic', 'writer', 'judge'],
  },
} as const satisfies Record<string, { settings: object; calls: readonly CannedModel[] }>;
export type Workload = keyof typeof WORKLOADS;

/** Options of the bare loop's process. */
export const bareOptionsSchema = z.object({
  workload: z.enum(['retry', 'revise']),
  runs: z.int(),
  atOnce: z.int(),
  warmUpUrl: z.string(),
  measuredUrl: z.string(),
});
export const bareFiguresSchema = z.object({ elapsedMs: z.number(), cpuMs: z.number() });
