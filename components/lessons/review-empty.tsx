'use client';

import Link from 'next/link';
import { useModEnter } from '#components/run/use-mod-enter.ts';
import { ActionBar } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { HeldLine } from './held-line.tsx';
import type { HeldVerdict } from './use-held-verdict.ts';

type ReviewEmptyProps = {
  /** Lessons that other parts of the queue list. */
  all: number;
  /** Lessons that wait and are not listed yet. */
  unseen: number;
  /** How many were decided on from this page. */
  decided: number;
  held: HeldVerdict | null;
  onUndo: () => void;
  onSendNow: () => void;
  onShowAll: () => void;
  onShowUnseen: () => void;
};

/** Where nothing is left to review: why not, the one thing to do, and the last verdict while it can be taken back. */
export function ReviewEmpty({
  all,
  unseen,
  decided,
  held,
  onUndo,
  onSendNow,
  onShowAll,
  onShowUnseen,
}: ReviewEmptyProps) {
  useModEnter(held === null ? null : onSendNow);
  const done = decided > 0 ? ` any more: you decided ${decided}` : '';
  return (
    <>
      <Pane className="border-b-0" data-testid="review-empty">
        <h1>{all > 0 ? `None of these waits${done}` : `Nothing waits for review${done}`}</h1>
        <p className="mt-0.5 mb-3 text-ink-2">
          {all > 0
            ? `${all} of the other sort.`
            : 'Lessons come here once they are screened: what runs write, what people add, and what is imported.'}
        </p>
        {all > 0 ? (
          <Button onClick={onShowAll}>Show all {all}</Button>
        ) : unseen > 0 ? (
          <Button onClick={onShowUnseen}>Show the {formatNumberOf(unseen, 'lesson')} that came in</Button>
        ) : (
          <Button asChild>
            <Link href="/lessons">Go to the library</Link>
          </Button>
        )}
      </Pane>
      {held === null ? null : (
        <ActionBar aria-label="Your review" data-testid="verdict-bar">
          <HeldLine held={held} onUndo={onUndo} onSendNow={onSendNow} />
        </ActionBar>
      )}
    </>
  );
}
