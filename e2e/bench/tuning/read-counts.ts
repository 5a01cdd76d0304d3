import { z } from 'zod';

const countsSchema = z.record(z.string(), z.object({ metricCalls: z.int(), reflections: z.int() }));
/** Calls by tool, landscape and seed, as `tool:landscape:seed`. */
export type Counts = z.infer<typeof countsSchema>;

/** Returns the calls of each tool so far, as counted by the simulated server. */
export async function readCounts(base: string): Promise<Counts> {
  return countsSchema.parse(await (await fetch(`${base}/counts`)).json());
}
