'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatAge } from '#lib/format.ts';
import { useExactTime } from './local-time.tsx';
import { QueueAside, QueueRow, QueueTitle } from './queue.tsx';
import { useNow } from './timers.ts';

/** Estimated height of an entry in pixels. Each is measured after rendering. */
const ENTRY_HEIGHT = 56;
/** Minimum height of the list in pixels, if its entries fill it. */
const MIN_HEIGHT = 128;
/** Number of entries before the last one at which `onNearEnd` is called. */
const NEAR = 10;

type QueueListProps<Entry> = {
  entries: readonly Entry[];
  chosen: string | null;
  testId: string;
  /** Number of entries, including those that are not loaded yet. */
  total: number;
  /** Called when the end of the loaded entries is near. */
  onNearEnd?: (() => void) | undefined;
  /** Renders the `QueueEntry` of one entry. */
  children: (entry: Entry, isChosen: boolean) => ReactNode;
};

/** Virtualized list of the entries that wait for a person, one per row. The chosen entry is scrolled into view. */
export function QueueList<Entry extends { id: string }>(props: QueueListProps<Entry>) {
  const { entries, chosen, testId, total, onNearEnd, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const chosenIndex = entries.findIndex(({ id }) => id === chosen);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ENTRY_HEIGHT,
    getItemKey: (index) => entries[index]?.id ?? index,
    // Rounded up, because otherwise the next entry would cover an entry's bottom border.
    measureElement: (element) => Math.ceil(element.getBoundingClientRect().height),
    initialRect: { width: 336, height: 800 },
    overscan: 4,
  });
  useEffect(() => {
    if (chosenIndex >= 0) virtual.scrollToIndex(chosenIndex, { align: 'auto' });
  }, [chosenIndex, virtual]);
  const lastDrawn = virtual.getVirtualItems().at(-1)?.index ?? -1;
  const isNearEnd = Math.max(chosenIndex, lastDrawn) >= entries.length - NEAR;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  return (
    <div
      ref={frame}
      className="flex-initial overflow-y-auto overscroll-contain border-line border-t max-narrow:max-h-[70vh]"
      // In a low window the list scrolls instead of disappearing. Entries measured while the list is hidden have no height.
      style={{ minHeight: Math.min(entries.length * ENTRY_HEIGHT, MIN_HEIGHT) }}
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
              {children(entry, index === chosenIndex)}
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
  /** ISO timestamp of the start of the wait. */
  since: string;
  isChosen: boolean;
  onChoose: () => void;
  /** Content of the second line. */
  children: ReactNode;
};

/** Row of a `QueueList`: its title, waiting time and a line of details. */
export function QueueEntry({ glyph, title, since, isChosen, onChoose, children }: QueueEntryProps) {
  const now = useNow(20_000);
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
