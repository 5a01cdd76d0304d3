import type { Result } from '#lib/core/problem.ts';

/** The reason Hone cannot start. Shown to the person at the terminal without a stack trace. */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** Returns the value of a result. Throws a StartFailure for an expected failure, which ends the start. */
export function valueOrFail<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new StartFailure(result.problem.message);
}
