import { z } from 'zod';

/** What both loops do: so many runs of so many calls one after the other, so many runs at a time. */
export const RUNS = 200;
export const CALLS_PER_RUN = 6;
export const CONCURRENCY = 20;
/** Done before each measurement, so that neither loop is measured cold. */
export const WARM_UP_RUNS = 250;
export const MODEL = 'canned-1';

/** What a loop's process is told: `measuredUrl` answers with the latency, `warmUpUrl` at once. */
export const loopOptionsSchema = z.object({
  runs: z.int(),
  watched: z.boolean(),
  warmUpUrl: z.string(),
  measuredUrl: z.string(),
});
export type LoopOptions = z.infer<typeof loopOptionsSchema>;

/** What it answers. `writes` counts the transactions that wrote. */
export const loopFiguresSchema = z.object({ elapsedMs: z.number(), cpuMs: z.number(), writes: z.number().nullable() });
export type LoopFigures = z.infer<typeof loopFiguresSchema>;

/** The case of a run: each its own. */
export function taskOf(run: number): string {
  return `Case ${run}: a train leaves at 9:${String(run % 60).padStart(2, '0')} and travels 240 km at 80 km/h. When does it arrive? Think it through, then answer as Finish[time].`;
}

/** Time and processor time of this process over `work`. */
export async function measured(work: () => Promise<void>): Promise<{ elapsedMs: number; cpuMs: number }> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const elapsedMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { elapsedMs, cpuMs: (user + system) / 1000 };
}
