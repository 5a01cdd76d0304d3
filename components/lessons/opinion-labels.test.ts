import { expect, test } from 'vitest';
import { opinionLabel } from './lesson-labels.ts';

test.each([
  ['y', '1 of 1 would promote it.'],
  ['n', '0 of 1 would promote it.'],
  ['yy', '2 of 2 would promote it. The reviewers agree.'],
  ['yn', '1 of 2 would promote it. The reviewers disagree.'],
  ['yyn', '2 of 3 would promote it. 1 of 3 pairs of reviewers agree.'],
  ['nnnn', '0 of 4 would promote it. 6 of 6 pairs of reviewers agree.'],
])('%s', (opinions, words) => {
  expect(opinionLabel([...opinions].map((one) => ({ verdict: one === 'y' ? 'promote' : 'reject' })))).toBe(words);
});
