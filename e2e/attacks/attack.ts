import type { Stage } from './stage.ts';

/** One way to do harm, by a name that says it, and the try of it: it passes where Hone stood, and throws where it fell. */
export type Attack = { name: string; attempt: (stage: Stage) => Promise<void> };

/** The rows of one kind of attack. */
export type AttackTable = { kind: string; attacks: readonly Attack[] };

/** A table with one row for each of some cases that are tried alike. */
export function eachOf<Case>(
  cases: readonly (readonly [name: string, one: Case])[],
  attempt: (stage: Stage, one: Case) => Promise<void>,
): Attack[] {
  return cases.map(([name, one]) => ({ name, attempt: (stage) => attempt(stage, one) }));
}
