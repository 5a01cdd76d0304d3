'use client';

import { Check } from 'lucide-react';
import { useState } from 'react';
import { formatAge } from '#lib/format.ts';
import { Link } from './link.tsx';
import { QueueAside, QueueGroup, QueueNote, QueueRow, QueueTitle } from './queue.tsx';
import { useNow } from './timers.ts';

/** Maximum number of recent decisions shown. */
const MAX_SHOWN_DECISIONS = 5;

/** Entry of a queue that was decided on this page, with the decision and its time. */
type DecidedEntry = { href: string; title: string; label: string; at: string };

/** Keeps the recent decisions of this page and counts all. */
export function useDecided() {
  const [decided, setDecided] = useState<{ latest: DecidedEntry[]; count: number }>({ latest: [], count: 0 });
  function addDecided(entry: Omit<DecidedEntry, 'at'>) {
    const timed = { ...entry, at: new Date().toISOString() };
    setDecided(({ latest, count }) => ({
      latest: [timed, ...latest].slice(0, MAX_SHOWN_DECISIONS),
      count: count + 1,
    }));
  }
  return { decided, addDecided };
}

type DecidedListProps = { entries: readonly DecidedEntry[]; testId: string; noteClassName?: string };

/** Lists recent decisions of this page, newest first. */
export function DecidedList({ entries, testId, noteClassName }: DecidedListProps) {
  const now = useNow(20_000);
  if (entries.length === 0) return null;
  return (
    <section aria-label="Decided just now" data-testid={testId}>
      <QueueGroup>Decided just now</QueueGroup>
      <ul>
        {entries.map(({ href, title, label, at }) => (
          <li key={`${href} ${at}`}>
            <QueueRow asChild>
              <Link href={href}>
                <Check />
                <QueueTitle isDone>{title}</QueueTitle>
                <QueueAside>{formatAge(at, now)}</QueueAside>
                <QueueNote className={noteClassName}>You: {label}</QueueNote>
              </Link>
            </QueueRow>
          </li>
        ))}
      </ul>
    </section>
  );
}
