'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { Pause, PencilLine, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatAge, formatMoment, formatTitle } from '#lib/format.ts';
import type { InboxItem, WaitingKind } from '#lib/reflection/inbox-item.ts';
import { claimWords, itemWords, KIND_WORDS } from './inbox-words.ts';

type InboxListProps = {
  items: readonly InboxItem[];
  chosen: string | null;
  now: Date;
  onChoose: (id: string) => void;
};

/** Height of a usual item in pixels; each is measured once it is drawn. */
const ITEM_HEIGHT = 56;

/** What waits, longest first. Of a long list only what is in sight is drawn; the chosen item is kept in sight. */
export function InboxList({ items, chosen, now, onChoose }: InboxListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const place = items.findIndex(({ id }) => id === chosen);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ITEM_HEIGHT,
    getItemKey: (index) => items[index]?.id ?? index,
    initialRect: { width: 336, height: 800 },
    overscan: 8,
  });
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: 'auto' });
  }, [place, virtual]);
  return (
    <div ref={frame} className="qlist" data-testid="inbox-list">
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          return item ? (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Item item={item} isChosen={index === place} now={now} onChoose={onChoose} />
            </li>
          ) : null;
        })}
      </ol>
    </div>
  );
}

type ItemProps = { item: InboxItem; isChosen: boolean; now: Date; onChoose: (id: string) => void };

function Item({ item, isChosen, now, onChoose }: ItemProps) {
  const onIt = claimWords(item.claim, now);
  return (
    <button type="button" className="qi" aria-current={isChosen ? 'true' : undefined} onClick={() => onChoose(item.id)}>
      <Glyph kind={item.kind} />
      <span className="a trunc">{formatTitle(item.input, 90) || 'An empty case'}</span>
      <span className="t" title={formatMoment(item.since)}>
        {formatAge(item.since, now)}
      </span>
      <span className="m">
        {onIt === null ? null : (
          <>
            <span className="md5">{onIt}</span> ·{' '}
          </>
        )}
        {itemWords(item)}
        <span className="vh">. {KIND_WORDS[item.kind]}</span>
      </span>
    </button>
  );
}

function Glyph({ kind }: { kind: WaitingKind }) {
  switch (kind) {
    case 'verdict':
      return <Pause className="i" aria-hidden />;
    case 'score':
      return <PencilLine className="i" aria-hidden />;
    case 'escalated':
      return <TriangleAlert className="i" aria-hidden />;
  }
}
