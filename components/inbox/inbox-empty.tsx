'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { useMay } from '#components/access/role-provider.tsx';
import { useLessonsToReview } from '#components/layout/use-waiting-count.ts';
import { Button } from '#components/ui/button.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { formatNumberOf } from '#lib/format.ts';
import type { InboxCounts } from './inbox-counts.ts';

type InboxEmptyProps = {
  counts: InboxCounts;
  /** How many decisions were sent from this page. */
  decided: number;
  /** How many lessons wait for a review, to begin with. */
  lessonsToReview: number;
  onShowAll: () => void;
  /** Opens the first item in spite of others who are on it. */
  onOpenAny: (() => void) | null;
};

/** Where nothing is chosen: why not, and the one thing to do about it. */
export function InboxEmpty({ counts, decided, lessonsToReview, onShowAll, onOpenAny }: InboxEmptyProps) {
  const lessons = useLessonsToReview(lessonsToReview);
  const { may } = useMay('reviewer');
  if (onOpenAny !== null)
    return (
      <Empty
        title={`Others are on ${counts.listed === 1 ? 'the one' : `all ${counts.listed}`} that ${counts.listed === 1 ? 'waits' : 'wait'}`}
        words="The next that nobody is on comes by itself."
      >
        <Button onClick={onOpenAny}>Look at the first all the same</Button>
      </Empty>
    );
  if (counts.all > 0)
    return (
      <Empty
        title={
          decided > 0 ? `Nothing of this sort waits any more: you decided ${decided}` : 'Nothing of this sort waits'
        }
        words={`${formatNumberOf(counts.all, 'other item')} in all.`}
      >
        <Button onClick={onShowAll}>Show all {counts.all}</Button>
      </Empty>
    );
  return (
    <Empty
      title={
        decided > 0
          ? `${lessons > 0 ? 'No run' : 'Nothing'} waits any more: you decided ${decided}`
          : `${lessons > 0 ? 'No run' : 'Nothing'} waits for ${may ? 'you' : 'a person'}`
      }
      words="Runs come here when they pause for a person; under People, an experiment says where."
    >
      <Button asChild>
        {lessons > 0 ? (
          <Link href="/lessons/review">Review {formatNumberOf(lessons, 'lesson')}</Link>
        ) : (
          <Link href="/experiments">Go to the experiments</Link>
        )}
      </Button>
    </Empty>
  );
}

function Empty({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <Pane className="border-b-0" data-testid="inbox-empty">
      <h1>{title}</h1>
      <p className="mt-0.5 mb-3 text-ink-2">{words}</p>
      {children}
    </Pane>
  );
}
