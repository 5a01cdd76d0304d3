import { expect, test } from 'vitest';
import { ADVISORY_LOCKS } from './locks.ts';

test('gives each purpose a different number', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});
