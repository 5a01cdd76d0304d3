import { expect, test } from 'vitest';
import { runStatusLabel } from './run-status.tsx';

const WAITING = { status: 'waiting', convergenceReason: null, decisions: [] } as const;

test('a run that waits does so for who may answer it, and for a person where who looks may not', () => {
  expect(runStatusLabel({ ...WAITING, decisions: [] }, true)).toBe('Waiting for you');
  expect(runStatusLabel({ ...WAITING, decisions: [] }, false)).toBe('Waiting for a reviewer');
});

test('the other states are the same to all', () => {
  for (const mayDecide of [true, false])
    expect(runStatusLabel({ status: 'running', convergenceReason: null, decisions: [] }, mayDecide)).toBe('Running');
});
