import { expect, test } from 'vitest';
import { proposalOutcomesLabel } from './proposal-outcomes.ts';
import { type SummaryVersion, summaryOf } from './summary-of.test-support.ts';

const minibatch = { positions: [0, 1, 2], before: 1, after: 1, of: 3 };
const evidence = { against: 0, n: 8, better: 3, worse: 1, same: 4, difference: 0.2, p: 0.6 } as const;
const unclear = { minibatch, evidence: { ...evidence, verdict: 'not_enough_evidence' as const } };
const heldBack = (kind: 'too_long' | 'repeated'): SummaryVersion => ({
  state: 'held_back',
  problems: [{ kind, text: 'It is.' }],
});

test.each<{ name: string; versions: SummaryVersion[]; says: string }>([
  { name: 'no proposals', versions: [], says: '' },
  {
    name: 'does not count a manual prompt as a proposal',
    versions: [{ kind: 'by_hand', state: 'by_hand', round: null }],
    says: '',
  },
  {
    name: 'one proposal without improvement',
    versions: [{ state: 'rejected', minibatch }],
    says: 'The proposal was no better than its parent on its 3 training cases.',
  },
  {
    name: 'one proposal with worked examples',
    versions: [{ kind: 'examples', state: 'rejected', minibatch }],
    says: 'The prompt with examples was no better than its parent on its 3 training cases.',
  },
  {
    name: 'several of each',
    versions: [
      heldBack('too_long'),
      heldBack('repeated'),
      { state: 'rejected', minibatch },
      { state: 'rejected', minibatch: { ...minibatch, of: 2 } },
      unclear,
    ],
    says: 'Of 5 proposals, 2 were rejected by checks (too long, repeated), 2 were no better than their parent on their 2 to 3 training cases and 1 was not shown to be better or worse on 8 validation cases.',
  },
  {
    name: 'a worse proposal, and one with a lower score on an anchor case',
    versions: [
      { state: 'rejected', minibatch, evidence: { ...evidence, verdict: 'worse' } },
      { state: 'rejected', lostAnchors: [4] },
    ],
    says: 'Of 2 proposals, 1 was worse on an anchor case and 1 was worse than its parent on 8 validation cases.',
  },
  {
    name: 'merged proposals',
    versions: [
      { state: 'combined', minibatch },
      { state: 'combined', minibatch },
      { ...unclear, kind: 'combination', parents: [0, 1, 2] },
    ],
    says: 'Of 2 proposals and 1 combination, 2 were combined with others into one prompt and 1 was not shown to be better or worse on 8 validation cases.',
  },
  {
    name: 'proposals validated on too few cases or only in part',
    versions: [{ evidence: { ...evidence, n: 3, verdict: 'not_enough_evidence' } }, { state: 'untried' }],
    says: 'Of 2 proposals, 1 was validated on too few cases and 1 was not fully tested.',
  },
])('$name', ({ versions, says }) => {
  expect(proposalOutcomesLabel(summaryOf([{}, ...versions]))).toBe(says);
});
