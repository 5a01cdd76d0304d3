import { describe, expect, test } from 'vitest';
import type { RunEstimate } from '#lib/estimates/estimate-run.ts';
import { estimateNotes, estimateRows } from './estimate-labels.ts';

const role = (name: string, basis: RunEstimate['roles'][number]['basis'], n: number) => ({
  role: name,
  model: 'practice/practice-1',
  calls: { lowest: 1, highest: 1 },
  basis,
  n,
});
const ESTIMATE: RunEstimate = {
  runs: 18,
  cases: 18,
  calls: { lowest: 36, highest: 306 },
  tokens: { lowest: 13_000, highest: 198_000 },
  costUsd: { lowest: 0.02, highest: 0.32 },
  unpricedModels: [],
  timeMs: { lowest: 20_000, highest: 300_000 },
  roles: [role('generate', 'experiment', 20), role('evaluate', 'experiment', 30)],
  budgets: [],
  practice: false,
  warnings: [],
};

test('shows calls, tokens, cost and time as ranges', () => {
  expect(estimateRows(ESTIMATE)).toEqual([
    { name: 'Calls', lowest: '36', highest: '306' },
    { name: 'Tokens', lowest: '13,000', highest: '198,000' },
    { name: 'Cost', lowest: '$0.0200', highest: '$0.320' },
    { name: 'Time', lowest: '20 s', highest: '5 min' },
  ]);
});

test('marks a cost that excludes unpriced calls', () => {
  const costs = (costUsd: RunEstimate['costUsd']) =>
    estimateRows({ ...ESTIMATE, costUsd, unpricedModels: ['local/judge'] })[2];
  expect(costs({ lowest: 0, highest: 0 })).toEqual({ name: 'Cost', lowest: 'no price', highest: 'no price' });
  expect(costs({ lowest: 0.5, highest: 1 })?.highest).toBe('$1.00 + unpriced');
});

describe('estimate notes', () => {
  test.each<{ name: string; changes: Partial<RunEstimate>; notes: string[] }>([
    { name: 'the number of past calls', changes: {}, notes: ['Estimated from 50 past calls of this experiment.'] },
    {
      name: 'the source of each part',
      changes: { roles: [role('turn', 'experiment', 1), role('evaluate', 'model', 7), role('revise', 'text', 0)] },
      notes: [
        'Estimated from 1 past call of this experiment (turns of agents), from 7 past calls of the same model elsewhere (judging) and based on text lengths, so the range is wide (revisions).',
      ],
    },
    {
      name: 'models without a price, which the cost budget ignores',
      changes: {
        unpricedModels: ['local/judge', 'local/writer'],
        budgets: [{ budget: 'cost', limit: 0.05, cuts: 'none', blind: true }],
      },
      notes: [
        'Estimated from 50 past calls of this experiment.',
        'There is no price for local/judge and local/writer, so its cost is not included. Set a price under Models.',
        'The budget of $0.0500 a run does not count calls without a price.',
      ],
    },
    {
      name: 'budgets that would end runs',
      changes: {
        budgets: [
          { budget: 'calls', limit: 4, cuts: 'some', blind: false },
          { budget: 'tokens', limit: 100, cuts: 'all', blind: false },
          { budget: 'time', limit: 90, cuts: 'none', blind: false },
        ],
      },
      notes: [
        'Estimated from 50 past calls of this experiment.',
        'The budget of 4 calls a run would end long runs before the cap.',
        'The budget of 100 tokens a run would end every run early, even at the lowest.',
      ],
    },
  ])('$name', ({ changes, notes }) => {
    expect(estimateNotes({ ...ESTIMATE, ...changes })).toEqual(notes);
  });
});
