'use client';

import { Undo2 } from 'lucide-react';
import { CaseInput } from '#components/case/case-input.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { ActionBar, ActionBarButtons, ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { OutputText } from '#components/ui/output-text.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { ShortcutKey } from '#components/ui/shortcut-key.tsx';
import { useShortcuts } from '#components/ui/use-shortcuts.ts';
import type { ShownPair, ShownPairs } from '#lib/blind-review/blind-pairs.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { BlindChoice } from './blind-state.ts';
import { useBlindReview } from './use-blind-review.ts';

type BlindReviewProps = { experimentId: string; initial: ShownPairs };
type Review = ReturnType<typeof useBlindReview>;

/** Two outputs of one task side by side, of which a person says which is better. Nothing on it tells which is which. */
export function BlindReview({ experimentId, initial }: BlindReviewProps) {
  const review = useBlindReview(experimentId, initial);
  const { current, held, judged, remaining } = review;
  const answer = (choice: BlindChoice) => (current === null ? null : () => review.choose(choice));
  useShortcuts({
    'blind.left': answer('left'),
    'blind.right': answer('right'),
    'blind.tie': answer('tie'),
    'blind.skip': current === null ? null : review.skip,
    'blind.undo': held === null ? null : review.undo,
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
        <ActionBar className="mt-auto" aria-label="Your answer" data-testid="blind-bar">
          <ActionBarLine>
            <HeldLine review={review} />
          </ActionBarLine>
          {current ? <Answers review={review} /> : null}
        </ActionBar>
      ) : null}
    </>
  );
}

function Pair({ pair: { task, messages, left, right } }: { pair: ShownPair }) {
  return (
    <>
      <Pane>
        <PaneHeader>
          <h2>Task</h2>
        </PaneHeader>
        <ScrollX label="The whole task" className="max-h-48">
          <CaseInput input={task} messages={messages} />
        </ScrollX>
      </Pane>
      <div className="grid min-w-0 flex-1 content-start divide-line md:grid-cols-2 md:divide-x">
        <Output name="Left" text={left} />
        <Output name="Right" text={right} />
      </div>
    </>
  );
}

function Output({ name, text }: { name: 'Left' | 'Right'; text: string }) {
  return (
    <Pane aria-label={name}>
      <PaneHeader>
        <h2>{name}</h2>
      </PaneHeader>
      <OutputText data-testid={`blind-${name.toLowerCase()}`}>{text}</OutputText>
    </Pane>
  );
}

function HeldLine({ review: { held, current, undo } }: { review: Review }) {
  const words = held === null ? null : LABELS[held.choice];
  return (
    <>
      <span role="status">
        {words === null ? (
          'Choose the better output. Names and scores are hidden.'
        ) : (
          <>
            <b className="text-ink">Your last answer:</b> {words}. It is sent{' '}
            {current === null ? 'in a moment' : 'with your next one'}.
          </>
        )}
      </span>
      {words === null ? null : (
        <Button variant="ghost" size="small" onClick={undo}>
          <Undo2 className="size-3.25" aria-hidden />
          Undo <ShortcutKey id="blind.undo" />
        </Button>
      )}
    </>
  );
}

const LABELS: Record<BlindChoice, string> = {
  left: 'left is better',
  right: 'right is better',
  tie: 'neither is better',
};

function Answers({ review: { choose, skip } }: { review: Review }) {
  return (
    <ActionBarButtons>
      <Button onClick={() => choose('left')}>
        Left <span className="max-narrow:hidden">is better</span> <ShortcutKey id="blind.left" />
      </Button>
      <Button onClick={() => choose('tie')}>
        Tie <ShortcutKey id="blind.tie" />
      </Button>
      <Button onClick={() => choose('right')}>
        Right <span className="max-narrow:hidden">is better</span> <ShortcutKey id="blind.right" />
      </Button>
      <Button variant="ghost" onClick={skip}>
        Skip <ShortcutKey id="blind.skip" />
      </Button>
    </ActionBarButtons>
  );
}

/** Where there is nothing to judge now: why, and what can be done. */
function NoPair({ review, path }: { review: Review; path: string }) {
  const { isLoading, unfilled, skipped, judged, remaining, recall } = review;
  if (unfilled !== null) return null;
  if (isLoading)
    return (
      <Pane asChild className="border-b-0 text-ink-2">
        <p role="status">Loading the next pairs</p>
      </Pane>
    );
  if (skipped.length > 0)
    return (
      <Pane className="border-b-0">
        <p>Only skipped pairs are left.</p>
        <Button className="mt-2" onClick={recall}>
          Show {formatNumberOf(skipped.length, 'skipped pair')} again
        </Button>
      </Pane>
    );
  return (
    <Pane className="border-b-0">
      <p>
        {judged === 0 && remaining === 0
          ? 'No pairs to judge yet. A pair is two scored versions of one run with different texts that are kept.'
          : 'You have judged all pairs.'}
      </p>
      <Button asChild className="mt-2">
        <Link href={path}>{judged === 0 ? 'Back to the experiment' : 'View judge agreement'}</Link>
      </Button>
    </Pane>
  );
}

function Failures({ review: { unsent, unfilled, sendAgain, fillAgain } }: { review: Review }) {
  const [first] = unsent;
  return (
    <>
      {first ? (
        <Pane>
          <Notice
            tone="worse"
            alert
            title={`${formatNumberOf(unsent.length, 'answer')} could not be saved`}
            actions={
              <Button size="small" onClick={sendAgain}>
                Retry
              </Button>
            }
          >
            {first.message}
          </Notice>
        </Pane>
      ) : null}
      {unfilled === null ? null : (
        <Pane>
          <Notice
            tone="worse"
            alert
            title="The next pairs could not be loaded"
            actions={
              <Button size="small" onClick={fillAgain}>
                Retry
              </Button>
            }
          >
            {unfilled}
          </Notice>
        </Pane>
      )}
    </>
  );
}
