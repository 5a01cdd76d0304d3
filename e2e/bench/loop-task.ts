import { z } from 'zod';

/** How many calls a run of `retrySettings` makes. */
export const CALLS_PER_RUN = 6;
export const MODEL = 'canned-1';

/** The case of a run: each its own. */
export function taskOf(run: number): string {
  return `Case ${run}: a train leaves at 9:${String(run % 60).padStart(2, '0')} and travels 240 km at 80 km/h. When does it arrive? Think it through, then answer as Finish[time].`;
}

/** Models of the canned server: what it answers goes by them. */
export const MODELS = ['writer', 'judge', 'critic'] as const;
export type CannedModel = (typeof MODELS)[number];

/** What a run of the loop does: its settings without models, and the models it calls one after another. */
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

/** What the process of the bare loop is told. */
export const bareOptionsSchema = z.object({
  workload: z.enum(['retry', 'revise']),
  runs: z.int(),
  atOnce: z.int(),
  warmUpUrl: z.string(),
  measuredUrl: z.string(),
});
export const bareFiguresSchema = z.object({ elapsedMs: z.number(), cpuMs: z.number() });
