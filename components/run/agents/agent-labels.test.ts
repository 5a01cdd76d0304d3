import { expect, test } from 'vitest';
import { runFixture } from '#components/run/run.test-support.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { momentAt, turnFixture } from './agent-fixture.test-support.ts';
import { argumentsProblem, toolPauseOf, toolRequesterLabel, toolRequestLabel } from './agent-labels.ts';

const toolCall = { id: '1.0/0.0', tool: 'http_get', arguments: '{}' };
const PAUSE: NonNullable<RunRecord['waitingFor']> = {
  ...{ pauseId: 'p', hook: 'onToolCall', version: 1, wouldStopAs: null, asks: [], toolCall },
  ...{ since: momentAt(0), expiresAt: null },
};

test('toolPauseOf returns a pause only if it has a tool call', () => {
  expect(toolPauseOf(runFixture([], { waitingFor: PAUSE }))?.toolCall).toEqual(toolCall);
  expect(toolPauseOf(runFixture([], { waitingFor: { ...PAUSE, hook: 'onReflection', toolCall: null } }))).toBeNull();
  expect(toolPauseOf(runFixture([]))).toBeNull();
});

test('whoAsks returns the agent of this attempt that made the call', () => {
  const pause = { ...PAUSE, toolCall };
  const worker = turnFixture(0, { version: 1, agent: 'reader', delegation: '1.0', calls: [toolCall] });
  const main = turnFixture(0, { version: 0, calls: [toolCall] });
  expect(toolRequesterLabel(runFixture([], { turns: [main, worker] }), pause)).toBe('reader');
  expect(toolRequesterLabel(runFixture([], { turns: [main] }), pause)).toBe('The agent');
});

test.each([
  [{ tool: 'http_get', arguments: 'not JSON' }, 'wants to use http_get'],
  [{ tool: 'delegate', arguments: '{"worker":"reader","task":"look"}' }, 'wants to give reader a task'],
  [{ tool: 'delegate', arguments: '{}' }, 'wants to use delegate'],
])('describes %o: %s', (call, words) => {
  expect(toolRequestLabel({ id: '0.0', ...call })).toBe(words);
});

test.each([
  ['{"a": 1}', null],
  ['{}', null],
  ['[1]', /JSON object/],
  ['null', /JSON object/],
  ['{a: 1}', /must be JSON/],
  ['', /must be JSON/],
])('validates the arguments %s', (text, problem) => {
  const found = argumentsProblem(text);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});
