import { Pause, PencilLine, TriangleAlert, Wrench } from 'lucide-react';
import { useMay } from '#components/access/role-provider.tsx';
import { QueueNote } from '#components/ui/queue.tsx';
import { QueueEntry, QueueList } from '#components/ui/queue-list.tsx';
import { formatTitle } from '#lib/format.ts';
import type { InboxItem, WaitingKind } from '#lib/inbox/inbox-item.ts';
import { claimLabel, itemLabel, KIND_LABELS } from './inbox-labels.ts';

type InboxListProps = {
  items: readonly InboxItem[];
  total: number;
  chosen: string | null;
  now: Date;
  onChoose: (id: string) => void;
  onNearEnd: (() => void) | undefined;
};

/** Runs that wait for a person, longest first. */
export function InboxList({ items, total, chosen, now, onChoose, onNearEnd }: InboxListProps) {
  const { may } = useMay('reviewer');
  return (
    <QueueList entries={items} total={total} chosen={chosen} testId="inbox-list" onNearEnd={onNearEnd}>
      {(item, isChosen) => {
        const onIt = claimLabel(item.claim, now);
        return (
          <QueueEntry
            glyph={<Glyph kind={item.kind} />}
            title={formatTitle(item.input, 90) || 'An empty case'}
            since={item.since}
            now={now}
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
  switch (kind) {
    case 'verdict':
      return <Pause aria-hidden />;
    case 'score':
      return <PencilLine aria-hidden />;
    case 'tool':
      return <Wrench aria-hidden />;
    case 'escalated':
      return <TriangleAlert aria-hidden />;
  }
}
