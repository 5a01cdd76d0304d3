import { expect, test } from 'vitest';
import { canSendAgain } from './refused-decision.tsx';

test.each(['queued', 'running', 'finished', 'stopped', 'failed'] as const)(
  'the answer to a pause that was decided meanwhile is not sent again to a run that is %s',
  (status) => {
    expect(canSendAgain({ pauseId: 'p1' }, { status })).toBe(false);
  },
);

test('what speaks of no pause, such as a score for an ended run, may be sent again', () => {
  expect(canSendAgain({}, { status: 'finished' })).toBe(true);
});

test('while a run waits, its bar sends', () => {
  expect(canSendAgain({}, { status: 'waiting' })).toBe(false);
  expect(canSendAgain({ pauseId: 'p1' }, { status: 'waiting' })).toBe(false);
});
