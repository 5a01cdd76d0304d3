import { expect, test } from 'vitest';
import type { InboxGroup } from '#lib/inbox/queries.ts';
import { inboxCounts } from './inbox-counts.ts';

const group = (
  experimentId: string,
  kind: InboxGroup['kind'],
  whose: InboxGroup['whose'],
  count: number,
): InboxGroup => ({
  experimentId,
  experimentName: `experiment ${experimentId}`,
  kind,
  whose,
  count,
});
const GROUPS = [
  group('a', 'verdict', 'free', 4),
  group('a', 'verdict', 'others', 2),
  group('a', 'score', 'mine', 1),
  group('b', 'escalated', 'free', 8),
];
const NO_FILTER = { kind: null, experiment: null, whose: 'all' as const };

test('counts everything per option if no filter is set', () => {
  expect(inboxCounts(GROUPS, NO_FILTER)).toEqual({
    all: 15,
    listed: 15,
    scopes: { all: 15, free: 13, mine: 1, assigned: 0 },
    kinds: { verdict: 6, score: 1, escalated: 8, tool: 0 },
    experiments: [
      { id: 'a', name: 'experiment a', count: 7 },
      { id: 'b', name: 'experiment b', count: 8 },
    ],
  });
});

test.each([
  ['by kind', { kind: 'verdict' as const }, 6, { all: 6, free: 4, mine: 0 }, [6, 0]],
  ['by experiment', { experiment: 'a' }, 7, { all: 7, free: 5, mine: 1 }, [7, 8]],
  ['for unclaimed items', { whose: 'free' as const }, 13, { all: 15, free: 13, mine: 1 }, [5, 8]],
  ['for claims of the current user', { whose: 'mine' as const }, 1, { all: 15, free: 13, mine: 1 }, [1, 0]],
  [
    'with two conditions',
    { kind: 'verdict' as const, whose: 'free' as const },
    4,
    { all: 6, free: 4, mine: 0 },
    [4, 0],
  ],
])(
  'with the filter %s, other options count what they would list in combination',
  (_name, filter, listed, scopes, experiments) => {
    const counts = inboxCounts(GROUPS, { ...NO_FILTER, ...filter });
    expect(counts).toMatchObject({ all: 15, listed, scopes });
    expect(counts.experiments.map(({ count }) => count)).toEqual(experiments);
  },
);
