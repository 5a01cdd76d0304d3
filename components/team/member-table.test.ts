import { expect, test } from 'vitest';
import { withdrawnLabel } from './member-table.tsx';

test.each([
  [{ linksWithdrawn: 0, assignmentsTaken: 0 }, ''],
  [{ linksWithdrawn: 1, assignmentsTaken: 0 }, '; 1 link withdrawn'],
  [{ linksWithdrawn: 0, assignmentsTaken: 1 }, '; 1 assignment taken back'],
  [{ linksWithdrawn: 2, assignmentsTaken: 1000 }, '; 2 links withdrawn; 1,000 assignments taken back'],
])('%j reads “%s”', (removed, words) => {
  expect(withdrawnLabel(removed)).toBe(words);
});
