import { expect, test } from 'vitest';
import { readTarget, type Target } from './read-target.ts';
import { countedShare } from './shares.ts';

test.each<[Target, number, number, string, string]>([
  ['final_better', 96, 100, 'Met', 'the whole interval lies above it'],
  ['final_better', 78, 92, 'Met, within noise', 'the interval reaches below it'],
  ['within_three', 87, 130, 'Below, within noise', 'the interval reaches the target'],
  ['within_three', 7, 10, 'Met, within noise', 'the interval reaches below it'],
  ['issues_resolved', 201, 263, 'Missed', 'by 9 points'],
  ['issues_resolved', 8_450, 10_000, 'Below, within noise', 'the interval reaches the target'],
  ['issues_resolved', 845_000, 1_000_000, 'Missed', 'by 1 point'],
  ['scored_alike', 57, 60, 'Missed', '3 missed it'],
  ['scored_alike', 60, 60, 'Met', 'none missed it'],
  ['scored_alike', 2, 3, 'Missed', '1 missed it'],
  ['scored_alike', 3, 3, 'Too few to tell', '3 of at least 10'],
  ['ended_by_rule', 116, 124, 'Met, within noise', 'the interval reaches below it'],
  ['ended_by_rule', 9, 9, 'Too few to tell', '9 of at least 10'],
  ['ended_by_rule', 0, 0, 'No data yet', 'no runs count so far'],
])('%s, %d of %d: %s, %s', (target, met, of, reading, because) => {
  expect(readTarget(target, countedShare(met, of))).toMatchObject({ target, met, of, reading, because });
});
