import type { Result } from '#lib/core/problem.ts';

/** Why Hone cannot start, for the person at the terminal: it is shown without a stack. */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** At the starter, an expected failure ends the start. */
export function valueOrFail<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new StartFailure(result.problem.message);
}
