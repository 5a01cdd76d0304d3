import { z } from 'zod';
import { wilsonInterval } from './wilson-interval.ts';

const count = z.int().min(0);
const bound = z.number().min(0).max(1);

/** How many hold something of how many that could, and the share with its 95 % interval (Wilson); null where none could. */
export const countedShareSchema = z.object({
  met: count,
  of: count,
  interval: z.object({ low: bound, share: bound, high: bound }).nullable(),
});
export type CountedShare = z.infer<typeof countedShareSchema>;

export function countedShare(met: number, of: number): CountedShare {
  return { met, of, interval: wilsonInterval(met, of) };
}
