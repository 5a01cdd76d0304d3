/** Readings of an ended run: if it met its target, and if its judge was right, too mild or too strict by people or checks. */
export const RUN_READINGS = [
  'final_better.met',
  'final_better.missed',
  'within_three.met',
  'within_three.missed',
  'issues_resolved.met',
  'issues_resolved.missed',
  'scored_alike.met',
  'scored_alike.missed',
  'ended_by_rule.met',
  'ended_by_rule.missed',
  'people.let_through',
  'people.held_back',
  'people.agreed',
  'checks.let_through',
  'checks.held_back',
  'checks.agreed',
] as const;
export type RunReading = (typeof RUN_READINGS)[number];
