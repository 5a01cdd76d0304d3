'use client';

import { Undo2 } from 'lucide-react';
import Link from 'next/link';
import { PageHead } from '#components/shell/page-head.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { ShownPair, ShownPairs } from '#lib/measures/blind-pairs.ts';
import type { BlindChoice } from './blind-state.ts';
import { useBlindReview } from './use-blind-review.ts';

type BlindReviewProps = { experimentId: string; initial: ShownPairs };
type Review = ReturnType<typeof useBlindReview>;

/** Two outputs of one task side by side, of which a person says which is better. Nothing on it tells which is which. */
export function BlindReview({ experimentId, initial }: BlindReviewProps) {
  const review = useBlindReview(experimentId, initial);
  const { current, held, judged, remaining } = review;
  const answer = (choice: BlindChoice) => (current === null ? null : () => review.choose(choice));
  useBareKeys({
    '1': answer('left'),
    ArrowLeft: answer('left'),
    '2': answer('right'),
    ArrowRight: answer('right'),
    '0': answer('tie'),
    t: answer('tie'),
    s: current === null ? null : review.skip,
    z: held === null ? null : review.undo,
  });
  return (
    <>
      <PageHead
        title="Which is better?"
        facts={
          <span data-testid="blind-progress">
            <b>{judged}</b> judged, <b>{remaining}</b> {remaining === 1 ? 'pair' : 'pairs'} left
          </span>
        }
      />
      <Failures review={review} />
      {current ? <Pair pair={current} /> : <NoPair review={review} path={`/experiments/${experimentId}`} />}
      {current || held ? (
        <section className="decide mt-auto" aria-label="Your answer" data-testid="blind-bar">
          <div className="why">
            <HeldLine review={review} />
          </div>
          {current ? <Answers review={review} /> : null}
        </section>
      ) : null}
    </>
  );
}

function Pair({ pair: { task, left, right } }: { pair: ShownPair }) {
  return (
    <>
      <section className="pane">
        <div className="ph">
          <h2>Task</h2>
        </div>
        <ScrollX label="The whole task" className="max-h-48">
          <p className="prose whitespace-pre-wrap wrap-anywhere">{task}</p>
        </ScrollX>
      </section>
      <div className="grid grow content-start divide-line md:grid-cols-2 md:divide-x">
        <Output name="Left" text={left} />
        <Output name="Right" text={right} />
      </div>
    </>
  );
}

function Output({ name, text }: { name: 'Left' | 'Right'; text: string }) {
  return (
    <section className="pane" aria-label={name}>
      <div className="ph">
        <h2>{name}</h2>
      </div>
      <div className="prose output" data-testid={`blind-${name.toLowerCase()}`}>
        {text}
      </div>
    </section>
  );
}

function HeldLine({ review: { held, current, undo } }: { review: Review }) {
  const words = held === null ? null : WORDS[held.choice];
  return (
    <>
      <span role="status">
        {words === null ? (
          'Say which of the two you would rather have. Nobody sees names or scores here.'
        ) : (
          <>
            <b className="text-ink">Your last answer:</b> {words}. It is sent{' '}
            {current === null ? 'in a moment' : 'with your next one'}.
          </>
        )}
      </span>
      {words === null ? null : (
        <Button variant="ghost" size="small" onClick={undo}>
          <Undo2 className="i s" aria-hidden />
          Undo <kbd>z</kbd>
        </Button>
      )}
    </>
  );
}

const WORDS: Record<BlindChoice, string> = {
  left: 'left is better',
  right: 'right is better',
  tie: 'neither is better',
};

function Answers({ review: { choose, skip } }: { review: Review }) {
  return (
    <div className="keys">
      <Button onClick={() => choose('left')}>
        Left <span className="wide-only">is better</span> <kbd>1</kbd> <kbd>←</kbd>
      </Button>
      <Button onClick={() => choose('tie')}>
        Tie <kbd>0</kbd> <kbd>t</kbd>
      </Button>
      <Button onClick={() => choose('right')}>
        Right <span className="wide-only">is better</span> <kbd>2</kbd> <kbd>→</kbd>
      </Button>
      <Button variant="ghost" onClick={skip}>
        Skip <kbd>s</kbd>
      </Button>
    </div>
  );
}

/** Where there is nothing to judge now: why, and what can be done. */
function NoPair({ review, path }: { review: Review; path: string }) {
  const { isLoading, unfilled, skipped, judged, remaining, recall } = review;
  if (unfilled !== null) return null;
  if (isLoading)
    return (
      <p className="pane muted border-b-0" role="status">
        Loading the next pairs
      </p>
    );
  if (skipped.length > 0)
    return (
      <section className="pane border-b-0">
        <p>Only what you skipped is left.</p>
        <Button className="mt-2" onClick={recall}>
          Show {formatNumberOf(skipped.length, 'skipped pair')} again
        </Button>
      </section>
    );
  return (
    <section className="pane border-b-0">
      <p>
        {judged === 0 && remaining === 0
          ? 'There is no pair to judge yet. A pair is two versions of one run that are scored, with their texts kept.'
          : 'You have judged every pair there is.'}
      </p>
      <Button asChild className="mt-2">
        <Link href={path}>{judged === 0 ? 'Back to the experiment' : 'See how the judge agrees'}</Link>
      </Button>
    </section>
  );
}

function Failures({ review: { unsent, unfilled, sendAgain, fillAgain } }: { review: Review }) {
  const [first] = unsent;
  return (
    <>
      {first ? (
        <div className="pane">
          <Notice
            tone="worse"
            alert
            title={`${formatNumberOf(unsent.length, 'answer')} could not be stored.`}
            actions={
              <Button size="small" onClick={sendAgain}>
                Send again
              </Button>
            }
          >
            {first.message}
          </Notice>
        </div>
      ) : null}
      {unfilled === null ? null : (
        <div className="pane">
          <Notice
            tone="worse"
            alert
            title="The next pairs could not be loaded."
            actions={
              <Button size="small" onClick={fillAgain}>
                Load again
              </Button>
            }
          >
            {unfilled}
          </Notice>
        </div>
      )}
    </>
  );
}
