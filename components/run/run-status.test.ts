import { expect, test } from 'vitest';
import { runStatusClass } from './run-status.tsx';

test.each([
  ['running', false, 'font-semibold text-brand'],
  ['failed', false, 'font-semibold text-worse'],
  ['finished', true, 'font-semibold text-better'],
  ['finished', false, 'font-semibold text-ink'],
] as const)('returns a bold color for a %s run (solved: %s)', (status, success, classes) => {
  expect(runStatusClass({ status, success })).toBe(classes);
});
