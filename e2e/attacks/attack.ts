import type { Stage } from './stage.ts';

/** One attack with a descriptive name. `attempt` passes if Hone withstands it and throws otherwise. */
export type Attack = { name: string; attempt: (stage: Stage) => Promise<void> };

/** All attacks of one kind. */
export type AttackTable = { kind: string; attacks: readonly Attack[] };

/** Builds one attack per case with the same attempt. */
export function eachOf<Case>(
  cases: readonly (readonly [name: string, one: Case])[],
  attempt: (stage: Stage, one: Case) => Promise<void>,
): Attack[] {
  return cases.map(([name, one]) => ({ name, attempt: (stage) => attempt(stage, one) }));
}
