/**
 * Readings of an ended run: it meets or misses a target, or its judge passed a bad version, rejected a good one, or agreed with people or
 * checks.
 */
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
