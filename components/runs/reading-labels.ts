import type { RunReading } from '#lib/statistics/run-readings.ts';

/** Returns the label of a reading, used as a list title and as a filter option. */
export function readingLabel(reading: RunReading): string {
  return LABELS[reading];
}

const LABELS: Record<RunReading, string> = {
  'final_better.met': 'Final better than first',
  'final_better.missed': 'Final no better than first',
  'within_three.met': 'Satisfactory within 3 iterations',
  'within_three.missed': 'Not satisfactory within 3 iterations',
  'issues_resolved.met': 'Every issue resolved in the next version',
  'issues_resolved.missed': 'An issue not resolved in the next version',
  'scored_alike.met': 'Re-scored within 0.1',
  'scored_alike.missed': 'Re-scored more than 0.1 apart',
  'ended_by_rule.met': 'Stopped by quality or an early rule',
  'ended_by_rule.missed': 'Stopped by the cap or a budget',
  'people.let_through': 'The judge passed what people failed',
  'people.held_back': 'The judge failed what people passed',
  'people.agreed': 'The judge agreed with people',
  'checks.let_through': 'The judge passed what checks failed',
  'checks.held_back': 'The judge failed what checks passed',
  'checks.agreed': 'The judge agreed with checks',
};
