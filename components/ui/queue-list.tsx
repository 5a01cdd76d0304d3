'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatAge } from '#lib/format.ts';
import { useExactTime } from './local-time.tsx';
import { QueueAside, QueueRow, QueueTitle } from './queue.tsx';

/** Height of a usual entry in pixels; each is measured once it is drawn. */
const ENTRY_HEIGHT = 56;
/** Height in pixels that is kept for the list, if its entries fill it. */
const LEAST_HEIGHT = 128;
/** Entries before the last one from which on the end is near. */
const NEAR = 10;

type QueueListProps<Entry> = {
  entries: readonly Entry[];
  chosen: string | null;
  testId: string;
  /** How many there are in all, where not all were read yet. */
  total?: number;
  /** Called when the end of what was read comes near. */
  onNearEnd?: (() => void) | undefined;
  /** One entry's `QueueEntry`. */
  children: (entry: Entry, isChosen: boolean) => ReactNode;
};

/** What waits for a person, an entry a row. Of a long list only what is in sight is drawn; the chosen entry is kept in sight. */
export function QueueList<Entry extends { id: string }>({
  entries,
  chosen,
  testId,
  total = entries.length,
  onNearEnd,
  children,
}: QueueListProps<Entry>) {
  const frame = useRef<HTMLDivElement>(null);
  const place = entries.findIndex(({ id }) => id === chosen);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ENTRY_HEIGHT,
    getItemKey: (index) => entries[index]?.id ?? index,
    // Rounded down, an entry's bottom line would lie under the next entry.
    measureElement: (element) => Math.ceil(element.getBoundingClientRect().height),
    initialRect: { width: 336, height: 800 },
    overscan: 4,
  });
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: 'auto' });
  }, [place, virtual]);
  const lastDrawn = virtual.getVirtualItems().at(-1)?.index ?? -1;
  const isNearEnd = Math.max(place, lastDrawn) >= entries.length - NEAR;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  return (
    <div
      ref={frame}
      className="flex-initial overflow-y-auto overscroll-contain border-line border-t max-narrow:max-h-[70vh]"
      // In a low window the list scrolls rather than vanishes. Entries measured while the list is hidden have no height.
      style={{ minHeight: Math.min(entries.length * ENTRY_HEIGHT, LEAST_HEIGHT) }}
      data-testid={testId}
    >
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index];
          return entry ? (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={Math.max(total, entries.length)}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(entry, index === place)}
            </li>
          ) : null;
        })}
      </ol>
    </div>
  );
}

type QueueEntryProps = {
  glyph: ReactNode;
  title: string;
  /** An ISO moment: since when it waits. */
  since: string;
  now: Date;
  isChosen: boolean;
  onChoose: () => void;
  /** The second line. */
  children: ReactNode;
};

/** A row of a `QueueList`: what it is, since when it waits, and a line about it. */
export function QueueEntry({ glyph, title, since, now, isChosen, onChoose, children }: QueueEntryProps) {
  const exactTime = useExactTime();
  return (
    <QueueRow type="button" aria-current={isChosen ? 'true' : undefined} onClick={onChoose}>
      {glyph}
      <QueueTitle>{title}</QueueTitle>
      <QueueAside title={exactTime(since)}>{formatAge(since, now)}</QueueAside>
      {children}
    </QueueRow>
  );
}
