import { Check } from 'lucide-react';
import Link from 'next/link';
import { QueueAside, QueueGroup, QueueNote, QueueRow, QueueTitle } from '#components/ui/queue.tsx';
import { formatAge } from '#lib/format.ts';
import { VERDICT_LABELS } from './lesson-labels.ts';
import type { DecidedLesson } from './use-review-queue.ts';

/** What was decided here just now, latest first. */
export function DecidedLessons({ items, now }: { items: readonly DecidedLesson[]; now: Date }) {
  if (items.length === 0) return null;
  return (
    <section aria-label="Decided just now" data-testid="decided-lessons">
      <QueueGroup>Decided just now</QueueGroup>
      <ul>
        {items.map(({ lessonId, title, verdict, reason, at }) => (
          <li key={`${lessonId} ${at}`}>
            <QueueRow asChild>
              <Link href={`/lessons/${lessonId}`}>
                <Check aria-hidden />
                <QueueTitle isDone>{title}</QueueTitle>
                <QueueAside>{formatAge(at, now)}</QueueAside>
                <QueueNote className="min-w-0 truncate">
                  You: {VERDICT_LABELS[verdict].done}
                  {reason === '' ? '' : `, ${reason}`}
                </QueueNote>
              </Link>
            </QueueRow>
          </li>
        ))}
      </ul>
    </section>
  );
}
