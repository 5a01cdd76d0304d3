import { expect, test } from 'vitest';
import type { History } from '../../history.ts';
import { tuningHistory } from '../../tuning-history.test-support.ts';
import type { Comparison } from '../proposal-prompt.ts';
import { tuningSettingsOf } from '../simulated-tunings.test-support.ts';
import { pairwise } from './pairwise.ts';

const settings = tuningSettingsOf({ tune: { strategy: 'pairwise' } });

function comparisons(history: History): Comparison[] {
  return pairwise.shown(history, settings, 0).comparisons ?? [];
}

test('a request contains the newest comparisons that fit; the last one may be truncated', () => {
  const positions = Array.from({ length: 20 }, (_case, position) => position);
  const scores = Object.fromEntries(positions.map((position) => [position, 0.5]));
  const history = tuningHistory(settings, { train: 20 }, [
    { scores },
    { minibatch: positions, scores },
    { minibatch: positions, scores },
    { minibatch: [0], scores: { 0: 0.5 } },
  ]);
  const shownWith = (length: number) =>
    comparisons({ ...history, tries: history.tries.map((one) => ({ ...one, output: 'x'.repeat(length) })) });
  expect(shownWith(10).map(({ cases }) => cases.length)).toEqual([20, 20, 1]);
  const [cut, newest, ...more] = shownWith(5_000);
  expect(more).toEqual([]);
  expect(newest?.prompt).toBe('Prompt 3: {{input}}');
  expect(cut?.prompt).toBe('Prompt 2: {{input}}');
  const kept = cut?.cases.map(({ case: { position } }) => position) ?? [];
  expect(kept).toEqual(positions.slice(0, kept.length));
  // Each case takes two outputs, truncated to 1,000 characters, and their feedback.
  expect(kept.length).toBeGreaterThan(8);
  expect(kept.length).toBeLessThan(14);
});

test('skips cases that either prompt has no score for', () => {
  const history = tuningHistory(settings, { train: 3 }, [
    { scores: { 0: 0.5, 1: null, 2: 0.5 } },
    { minibatch: [0, 1, 2], scores: { 0: null, 1: 0.5, 2: 1 } },
  ]);
  expect(comparisons(history).map(({ cases }) => cases.map(({ case: { position } }) => position))).toEqual([[2]]);
});
