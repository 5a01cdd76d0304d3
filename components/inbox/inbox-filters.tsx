'use client';

import { usePerson } from '#components/access/role-provider.tsx';
import { Select } from '#components/ui/field.tsx';
import { QueueFilters } from '#components/ui/queue.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { type InboxScope, WAITING_KINDS } from '#lib/inbox/inbox-item.ts';
import type { InboxCounts } from './inbox-counts.ts';
import { KIND_LABELS } from './inbox-labels.ts';
import type { InboxFilter } from './use-inbox-state.ts';

type InboxFiltersProps = {
  filter: InboxFilter;
  counts: InboxCounts;
  onChange: (changes: Partial<InboxFilter>) => void;
};

/** Which part of the inbox is listed: whose, of which kind, of which experiment; each choice says how many it would list. */
export function InboxFilters({ filter, counts, onChange }: InboxFiltersProps) {
  const { scopes, kinds, experiments } = counts;
  const { isLocal } = usePerson();
  const choices: { value: InboxScope; label: string; name: string }[] = [
    { value: 'all', label: `All ${scopes.all}`, name: `All, ${scopes.all}` },
    { value: 'free', label: `Free ${scopes.free}`, name: `Nobody else is on it, ${scopes.free}` },
    { value: 'mine', label: `Mine ${scopes.mine}`, name: `You are on it, ${scopes.mine}` },
    ...(isLocal
      ? []
      : [
          {
            value: 'assigned' as const,
            label: `For me ${scopes.assigned}`,
            name: `You were asked to look at it, ${scopes.assigned}`,
          },
        ]),
  ];
  return (
    <QueueFilters>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="Whose" value={filter.whose} choices={choices} onChange={(whose) => onChange({ whose })} />
        <span className="ml-auto text-ink-3 text-sm max-narrow:hidden">
          <kbd>j</kbd> <kbd>k</kbd> move
        </span>
      </div>
      <div className="flex items-center gap-2">
        <Select
          size="small"
          className="min-w-0 flex-1"
          aria-label="Kind"
          value={filter.kind ?? ''}
          onChange={({ target }) => onChange({ kind: WAITING_KINDS.find((kind) => kind === target.value) ?? null })}
        >
          <option value="">Every kind</option>
          {WAITING_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_LABELS[kind]} {kinds[kind]}
            </option>
          ))}
        </Select>
        <Select
          size="small"
          className="min-w-0 flex-1"
          aria-label="Experiment"
          value={filter.experiment ?? ''}
          onChange={({ target }) => onChange({ experiment: target.value || null })}
        >
          <option value="">Every experiment</option>
          {experiments.map(({ id, name, count }) => (
            <option key={id} value={id}>
              {name} {count}
            </option>
          ))}
          {filter.experiment !== null && experiments.every(({ id }) => id !== filter.experiment) ? (
            <option value={filter.experiment}>The chosen one 0</option>
          ) : null}
        </Select>
      </div>
    </QueueFilters>
  );
}
