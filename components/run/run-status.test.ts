import { expect, test } from 'vitest';
import { runStatusLabel } from './run-status.tsx';

const WAITING = { status: 'waiting', convergenceReason: null, decisions: [] } as const;

test('a waiting run waits for you if you may decide, otherwise for a reviewer', () => {
  expect(runStatusLabel({ ...WAITING, decisions: [] }, true)).toBe('Waiting for you');
  expect(runStatusLabel({ ...WAITING, decisions: [] }, false)).toBe('Waiting for a reviewer');
});

test('other states read the same for everyone', () => {
  for (const mayDecide of [true, false])
    expect(runStatusLabel({ status: 'running', convergenceReason: null, decisions: [] }, mayDecide)).toBe('Running');
});
