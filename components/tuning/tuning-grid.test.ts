import { expect, test } from 'vitest';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { tuningHistory } from '#lib/core/tuning-history.test-support.ts';
import { effectVersions, findCaseResults, isCutOff, proposalEffect } from './tuning-grid.ts';

test('the effect of a proposal loads the example scores of few versions', () => {
  const history = tuningHistory(tuningSettingsOf(), { train: 2 }, [
    { output: 'First', scores: { 0: 0, 1: 0 } },
    { output: 'Second', minibatch: [0], scores: { 0: 1 } },
    { output: 'Third', minibatch: [1], scores: { 0: 0, 1: 0 } },
    { output: 'Fourth', minibatch: [0, 1], parent: 1, scores: { 0: 1 } },
    // Has the same text as version 1, so its example scores count for that version too.
    { output: 'Second', origin: 'edited', parent: 2, scores: { 1: 1 } },
  ]);
  const versions = effectVersions(history, 3);
  expect(versions).toEqual([1, 3, 4]);
  const loaded = { ...history, tries: history.tries.filter(({ version }) => versions.includes(version)) };
  expect(proposalEffect(loaded, 3)).toEqual(proposalEffect(history, 3));
  expect(proposalEffect(loaded, 3)?.cases.map(({ tries }) => tries.length)).toEqual([2, 1]);
});

test('the effect of a proposal omits traces, because the page does not show them there', () => {
  const history = tuningHistory(tuningSettingsOf(), { train: 1 }, [
    { output: 'First', scores: { 0: 0 } },
    { output: 'Second', minibatch: [0], scores: { 0: 1 } },
  ]);
  const traced = { ...history, tries: history.tries.map((tried) => ({ ...tried, trace: 'searched' })) };
  expect(JSON.stringify(findCaseResults(traced, 0))).toContain('searched');
  expect(proposalEffect(traced, 1)?.cases.map(({ tries }) => tries.length)).toEqual([2]);
  expect(JSON.stringify(proposalEffect(traced, 1))).not.toContain('searched');
});

test.each([
  ['length', true],
  ['turn_limit', true],
  ['stalled', true],
  ['no_answer', true],
  ['stop', false],
  ['', false],
])('a response with finish reason "%s" is cut off: %s', (finishReason, expected) => {
  expect(isCutOff({ finishReason })).toBe(expected);
});
