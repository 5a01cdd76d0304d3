import { expect, test } from 'vitest';
import { canSendAgain } from './refused-decision.tsx';

test.each(['queued', 'running', 'finished', 'stopped', 'failed'] as const)(
  'a decision for a pause that is already decided cannot be resent to a run that is %s',
  (status) => {
    expect(canSendAgain({ pauseId: 'p1' }, { status })).toBe(false);
  },
);

test('a decision without a pause, such as a score for an ended run, can be resent', () => {
  expect(canSendAgain({}, { status: 'finished' })).toBe(true);
});

test('a decision is not resent while the run waits, because the decision bar is shown', () => {
  expect(canSendAgain({}, { status: 'waiting' })).toBe(false);
  expect(canSendAgain({ pauseId: 'p1' }, { status: 'waiting' })).toBe(false);
});
