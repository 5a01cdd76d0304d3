import type { AppContext } from '#lib/context/app-context.ts';
import type { CallTarget } from '#lib/providers/call/create-model-caller.ts';
import { callTarget } from '#lib/providers/target/call-target.ts';
import { targetJobs } from './await-answer.ts';

/** Calls a target in the place of a model. */
export function targetCaller({ database, now, address }: Pick<AppContext, 'database' | 'now' | 'address'>): CallTarget {
  const jobs = targetJobs(database, now);
  return (call, options) => callTarget({ ...call, jobs, address, now }, options);
}
