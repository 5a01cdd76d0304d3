import { expect, test } from 'vitest';
import { initialsOf } from './avatar.tsx';

test.each([
  ['Ada Lovelace', 'AL'],
  ['  grace  brewster hopper ', 'GB'],
  ['Local', 'L'],
  ['😀 smile', '😀S'],
  ['', ''],
])('the initials of “%s” are “%s”', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
