'use client';

import { BookOpen } from 'lucide-react';
import Link from 'next/link';
import { useAssignedCount, useLessonsToReview } from '#components/layout/use-waiting-count.ts';
import { QueueNote, QueueRow, QueueTitle } from '#components/ui/queue.tsx';
import { formatNumberOf } from '#lib/format.ts';

/** The way to the lessons that wait for a review, where there are some. `known` is how many to begin with. */
export function LessonsToReview({ known }: { known: number }) {
  const count = useLessonsToReview(known);
  const lessons = useAssignedCount()?.lessons ?? 0;
  if (count === 0) return null;
  return (
    <QueueRow asChild>
      <Link href="/lessons/review" data-testid="lessons-to-review">
        <BookOpen aria-hidden />
        <QueueTitle>
          {formatNumberOf(count, 'lesson')} to review{lessons === 0 ? null : `, ${lessons} for you`}
        </QueueTitle>
        <QueueNote>learned by runs, added or imported</QueueNote>
      </Link>
    </QueueRow>
  );
}
