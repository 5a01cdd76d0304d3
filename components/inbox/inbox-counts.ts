import type { InboxGroup } from '#lib/inbox/queries.ts';
import type { InboxScope, WaitingKind } from '#lib/inbox/waiting-kinds.ts';
import type { InboxFilter } from './use-inbox-state.ts';

/** Number of items for each filter option, with the other filters unchanged. */
export type InboxCounts = {
  all: number;
  listed: number;
  scopes: Record<InboxScope, number>;
  kinds: Record<WaitingKind, number>;
  experiments: { id: string; name: string; count: number }[];
};

/** Returns the filter counts from the groups sent with the list. */
export function inboxCounts(groups: readonly InboxGroup[], filter: Omit<InboxFilter, 'cursor'>): InboxCounts {
  const isOf = {
    scope: (group: InboxGroup, scope: InboxScope) =>
      scope === 'all' || scope === 'assigned' || group.whose === 'mine' || (scope === 'free' && group.whose === 'free'),
    kind: (group: InboxGroup, kind: WaitingKind | null) => kind === null || group.kind === kind,
    experiment: (group: InboxGroup, id: string | null) => id === null || group.experimentId === id,
  };
  const sum = (scope: InboxScope, kind: WaitingKind | null, experiment: string | null) =>
    groups
      .filter((group) => isOf.scope(group, scope) && isOf.kind(group, kind) && isOf.experiment(group, experiment))
      .reduce((total, { count, assigned = 0 }) => total + (scope === 'assigned' ? assigned : count), 0);
  const names = new Map(groups.map(({ experimentId, experimentName }) => [experimentId, experimentName]));
  const { whose, kind, experiment } = filter;
  return {
    all: sum('all', null, null),
    listed: sum(whose, kind, experiment),
    scopes: {
      all: sum('all', kind, experiment),
      free: sum('free', kind, experiment),
      mine: sum('mine', kind, experiment),
      assigned: sum('assigned', kind, experiment),
    },
    kinds: {
      verdict: sum(whose, 'verdict', experiment),
      score: sum(whose, 'score', experiment),
      escalated: sum(whose, 'escalated', experiment),
      tool: sum(whose, 'tool', experiment),
    },
    experiments: [...names].map(([id, name]) => ({ id, name, count: sum(whose, kind, id) })),
  };
}
