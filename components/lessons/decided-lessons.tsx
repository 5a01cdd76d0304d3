import { Check } from 'lucide-react';
import Link from 'next/link';
import { formatAge } from '#lib/format.ts';
import { VERDICT_WORDS } from './lesson-words.ts';
import type { DecidedLesson } from './use-review-queue.ts';

/** What was decided here just now, latest first. */
export function DecidedLessons({ items, now }: { items: readonly DecidedLesson[]; now: Date }) {
  if (items.length === 0) return null;
  return (
    <section aria-label="Decided just now" data-testid="decided-lessons">
      <p className="qgroup">Decided just now</p>
      <ul>
        {items.map(({ lessonId, title, verdict, reason, at }) => (
          <li key={`${lessonId} ${at}`}>
            <Link href={`/lessons/${lessonId}`} className="qi done">
              <Check className="i" aria-hidden />
              <span className="a trunc">{title}</span>
              <span className="t">{formatAge(at, now)}</span>
              <span className="m trunc">
                You: {VERDICT_WORDS[verdict].done}
                {reason === '' ? '' : `, ${reason}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
