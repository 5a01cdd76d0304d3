'use client';

import { Pause, PencilLine, TriangleAlert, Wrench } from 'lucide-react';
import { usePerson, useRoleAccess } from '#components/access/role-provider.tsx';
import { Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { QueueFilters, QueueNote } from '#components/ui/queue.tsx';
import { QueueEntry, QueueList } from '#components/ui/queue-list.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { useNow } from '#components/ui/timers.ts';
import { MoveKeys } from '#components/ui/use-shortcuts.tsx';
import { formatTitle } from '#lib/format.ts';
import type { InboxItem } from '#lib/inbox/queries.ts';
import { type InboxScope, WAITING_KINDS, type WaitingKind } from '#lib/inbox/waiting-kinds.ts';
import type { InboxCounts } from './inbox-counts.ts';
import { claimLabel, itemLabel, KIND_LABELS } from './inbox-labels.ts';
import type { InboxFilter } from './use-inbox-state.ts';

type InboxFiltersProps = {
  filter: InboxFilter;
  counts: InboxCounts;
  onChange: (changes: Partial<InboxFilter>) => void;
};

/** Filters the inbox by assignment, kind and experiment. Each option shows its number of items. */
export function InboxFilters({ filter, counts, onChange }: InboxFiltersProps) {
  const { scopes, kinds, experiments } = counts;
  const { isLocal } = usePerson();
  const choices: { value: InboxScope; label: string; name: string }[] = [
    { value: 'all', label: `All ${scopes.all}`, name: `All, ${scopes.all}` },
    { value: 'free', label: `Free ${scopes.free}`, name: `Not open elsewhere, ${scopes.free}` },
    { value: 'mine', label: `Mine ${scopes.mine}`, name: `Open in this window, ${scopes.mine}` },
    ...(isLocal
      ? []
      : [
          {
            value: 'assigned' as const,
            label: `For me ${scopes.assigned}`,
            name: `Assigned to you, ${scopes.assigned}`,
          },
        ]),
  ];
  return (
    <QueueFilters>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="Whose" value={filter.whose} choices={choices} onChange={(whose) => onChange({ whose })} />
        <span className="ml-auto text-ink-3 text-sm max-narrow:hidden">
          <MoveKeys next="inbox.next" previous="inbox.previous" />
        </span>
      </div>
      <div className="flex items-center gap-2">
        <Select
          size="small"
          className="min-w-0 flex-1"
          aria-label="Kind"
          value={filter.kind ?? ''}
          onValue={(value) => onChange({ kind: WAITING_KINDS.find((kind) => kind === value) ?? null })}
        >
          <option value="">Every kind</option>
          <Options of={WAITING_KINDS.map((kind) => [kind, `${KIND_LABELS[kind]} ${kinds[kind]}`])} />
        </Select>
        <Select
          size="small"
          className="min-w-0 flex-1"
          aria-label="Experiment"
          value={filter.experiment ?? ''}
          onValue={(value) => onChange({ experiment: value || null })}
        >
          <option value="">Every experiment</option>
          <Options of={experiments.map(({ id, name, count }) => [id, `${name} ${count}`])} />
          {filter.experiment !== null && experiments.every(({ id }) => id !== filter.experiment) ? (
            <option value={filter.experiment}>Selected experiment 0</option>
          ) : null}
        </Select>
      </div>
    </QueueFilters>
  );
}

type InboxListProps = {
  items: readonly InboxItem[];
  total: number;
  chosen: string | null;
  onChoose: (id: string) => void;
  onNearEnd: (() => void) | undefined;
};

/** Lists waiting runs, longest waiting first. */
export function InboxList({ items, total, chosen, onChoose, onNearEnd }: InboxListProps) {
  const { may } = useRoleAccess('reviewer');
  const now = useNow(20_000);
  return (
    <QueueList entries={items} total={total} chosen={chosen} testId="inbox-list" onNearEnd={onNearEnd}>
      {(item, isChosen) => {
        const onIt = claimLabel(item.claim, now);
        return (
          <QueueEntry
            glyph={<Glyph kind={item.kind} />}
            title={formatTitle(item.input, 90) || 'An empty case'}
            since={item.since}
            isChosen={isChosen}
            onChoose={() => onChoose(item.id)}
          >
            <QueueNote>
              {item.isAssigned ? <span className="font-medium">for you · </span> : null}
              {onIt === null ? null : (
                <>
                  <span className="font-medium">{onIt}</span> ·{' '}
                </>
              )}
              {itemLabel(item, may)}
              <span className="sr-only">. {KIND_LABELS[item.kind]}</span>
            </QueueNote>
          </QueueEntry>
        );
      }}
    </QueueList>
  );
}

function Glyph({ kind }: { kind: WaitingKind }) {
  const glyphs = {
    verdict: <Pause />,
    score: <PencilLine />,
    tool: <Wrench />,
    escalated: <TriangleAlert />,
  };
  return glyphs[kind];
}
