'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatAge } from '#lib/format.ts';
import { useExactTime } from './local-time.tsx';
import { QueueAside, QueueRow, QueueTitle } from './queue.tsx';
import { useNow } from './timers.ts';

/** Estimated height of an entry in pixels, until it is first rendered. */
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

/**
 * List of the entries that wait for a person, one per row. Browsers render only the visible ones. The chosen entry is scrolled into view.
 */
export function QueueList<Entry extends { id: string }>(props: QueueListProps<Entry>) {
  const { entries, chosen, testId, total, onNearEnd, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const chosenIndex = entries.findIndex(({ id }) => id === chosen);
  const count = entries.length;
  // Number of entries when their end was last near. It is no longer near once there are more.
  const [nearAt, setNearAt] = useState<number | null>(null);
  useEffect(() => {
    const row = list.current?.children[chosenIndex];
    if (frame.current !== null && row instanceof HTMLElement) reveal(frame.current, row);
  }, [chosenIndex]);
  useEffect(() => {
    if (end.current === null) return;
    const rootMargin = `0px 0px ${NEAR * ENTRY_HEIGHT}px`;
    const onSeen = (seen: IntersectionObserverEntry[]) =>
      setNearAt(seen.at(-1)?.isIntersecting === true ? count : null);
    const observer = new IntersectionObserver(onSeen, { root: frame.current, rootMargin });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [count]);
  const isNearEnd = nearAt === count || chosenIndex >= count - NEAR;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  return (
    <div
      ref={frame}
      className="relative flex-initial overflow-y-auto overscroll-contain border-line border-t max-narrow:max-h-[70vh]"
      // In a low window the list scrolls instead of disappearing.
      style={{ minHeight: Math.min(count * ENTRY_HEIGHT, MIN_HEIGHT) }}
      data-testid={testId}
    >
      <ol ref={list} className="*:[contain-intrinsic-size:auto_3.5rem] *:[content-visibility:auto]">
        {entries.map((entry, index) => (
          <li key={entry.id} aria-setsize={Math.max(total, count)} aria-posinset={index + 1}>
            {children(entry, index === chosenIndex)}
          </li>
        ))}
      </ol>
      <div ref={end} />
    </div>
  );
}

/** Scrolls only the frame, because `scrollIntoView` would scroll the page too. */
function reveal(frame: HTMLElement, row: HTMLElement): void {
  const end = row.offsetTop + row.offsetHeight;
  if (row.offsetTop < frame.scrollTop) frame.scrollTop = row.offsetTop;
  else if (end > frame.scrollTop + frame.clientHeight) frame.scrollTop = end - frame.clientHeight;
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
