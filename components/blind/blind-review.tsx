'use client';

import { Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { CaseInput } from '#components/case/case-input.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { ActionBar, ActionBarButtons, ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { OutputText } from '#components/ui/output-text.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { UNDO_MS } from '#components/ui/use-delayed-send.ts';
import { ShortcutKey, useShortcuts } from '#components/ui/use-shortcuts.tsx';
import type { ShownPair, ShownPairs } from '#lib/blind-review/blind-pairs.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import {
  afterChoice,
  afterLeaving,
  afterRecall,
  afterRefill,
  afterSending,
  afterSkip,
  afterUndo,
  type BlindAnswer,
  type BlindChoice,
  type BlindState,
  blindState,
  hasMore,
} from './blind-state.ts';

type BlindReviewProps = { experimentId: string; initial: ShownPairs };
type Review = ReturnType<typeof useBlindReview>;

/** Shows two outputs of one case side by side. A reviewer picks the better one without knowing its origin. */
export function BlindReview({ experimentId, initial }: BlindReviewProps) {
  const review = useBlindReview(experimentId, initial);
  const { current, unsent, judged, remaining } = review;
  const answer = (choice: BlindChoice) => (current === null ? null : () => review.choose(choice));
  useShortcuts({
    'blind.left': answer('left'),
    'blind.right': answer('right'),
    'blind.tie': answer('tie'),
    'blind.skip': current === null ? null : review.skip,
    'blind.undo': unsent === null ? null : review.undo,
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
      {current || unsent ? (
        <ActionBar className="mt-auto" aria-label="Your answer" data-testid="blind-bar">
          <ActionBarLine>
            <UnsentAnswerBar review={review} />
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
        <PaneHeader title="Task" />
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
      <PaneHeader title={name} />
      <OutputText data-testid={`blind-${name.toLowerCase()}`}>{text}</OutputText>
    </Pane>
  );
}

function UnsentAnswerBar({ review: { unsent, current, undo } }: { review: Review }) {
  const label = unsent === null ? null : LABELS[unsent.choice];
  return (
    <>
      <span role="status">
        {label === null ? (
          'Choose the better output. Names and scores are hidden.'
        ) : (
          <>
            <b className="text-ink">Your last answer:</b> {label}. It is sent{' '}
            {current === null ? 'in a moment' : 'with your next one'}.
          </>
        )}
      </span>
      {label === null ? null : (
        <Button variant="ghost" size="small" onClick={undo}>
          <Undo2 />
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
        <span>
          Left<span className="max-narrow:hidden"> is better</span>
        </span>{' '}
        <ShortcutKey id="blind.left" />
      </Button>
      <Button onClick={() => choose('tie')}>
        Tie <ShortcutKey id="blind.tie" />
      </Button>
      <Button onClick={() => choose('right')}>
        <span>
          Right<span className="max-narrow:hidden"> is better</span>
        </span>{' '}
        <ShortcutKey id="blind.right" />
      </Button>
      <Button variant="ghost" onClick={skip}>
        Skip <ShortcutKey id="blind.skip" />
      </Button>
    </ActionBarButtons>
  );
}

/** Shown if there is no pair to judge: the reason and the next step. */
function NoPair({ review, path }: { review: Review; path: string }) {
  const { isLoading, unfilled, skipped, judged, remaining, recall } = review;
  if (unfilled !== null) return null;
  if (isLoading) return <PaneNote role="status">Loading the next pairs</PaneNote>;
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

function Failures({ review: { failed, unfilled, sendAgain, fillAgain } }: { review: Review }) {
  const [first] = failed;
  return (
    <>
      {first ? (
        <Failure
          title={`${formatNumberOf(failed.length, 'answer')} could not be saved`}
          message={first.message}
          onRetry={sendAgain}
        />
      ) : null}
      {unfilled === null ? null : (
        <Failure title="The next pairs could not be loaded" message={unfilled} onRetry={fillAgain} />
      )}
    </>
  );
}

function Failure({ title, message, onRetry }: { title: string; message: string; onRetry: () => void }) {
  const retry = (
    <Button size="small" onClick={onRetry}>
      Retry
    </Button>
  );
  return (
    <Pane>
      <Notice tone="worse" alert title={title} actions={retry}>
        {message}
      </Notice>
    </Pane>
  );
}

const MIN_QUEUE_LENGTH = 3;
const REFILL_SIZE = 10;
const MAX_PAIRS_PER_REQUEST = 200;

function unsavedLabel(answers: number): string {
  return `${formatNumberOf(answers, 'answer')} could not be saved. Open the review to judge again.`;
}

/**
 * Manages the pairs a reviewer judges. An answer is held back, and can be undone, until the next one is given. After the last pair it is
 * sent after a delay. Leaving the page also sends it, and the answers that could not be saved.
 */
function useBlindReview(experimentId: string, initial: ShownPairs) {
  const router = useRouter();
  const toast = useToast();
  const [state, setState] = useState<BlindState>(() => blindState(initial));
  const [unfilled, setUnfilled] = useState<string | null>(null);
  // Two key presses may arrive before the next render.
  const latest = useRef(state);
  const shownAt = useRef(0);
  const isFilling = useRef(false);
  const isLeft = useRef(false);
  const current = state.queue[0] ?? null;

  function become(next: BlindState) {
    latest.current = next;
    setState(next);
  }

  async function send(answer: BlindAnswer) {
    const result = await sendPreference(experimentId, answer);
    if (result.ok) return;
    if (isLeft.current) return toast(unsavedLabel(1), 'problem');
    const { failed } = latest.current;
    become({ ...latest.current, failed: [...failed, { answer, message: result.problem.message }] });
  }

  function sendHeld() {
    const { unsent } = latest.current;
    if (unsent === null) return;
    become(afterSending(latest.current));
    void send(unsent);
  }

  function takeUnsaved(): BlindAnswer[] {
    const { unsaved, next } = afterLeaving(latest.current);
    become(next);
    return unsaved;
  }

  async function sendAfterLeaving(unsaved: BlindAnswer[]) {
    if (unsaved.length === 0) return;
    const results = await Promise.all(unsaved.map((answer) => sendPreference(experimentId, answer)));
    const failed = results.filter(({ ok }) => !ok).length;
    if (failed > 0) toast(unsavedLabel(failed), 'problem');
    // The next page was rendered before these answers were stored, so it needs a refresh.
    router.refresh();
  }

  function choose(choice: BlindChoice) {
    const before = latest.current;
    if (before.queue.length === 0) return;
    const seconds = Math.round((performance.now() - shownAt.current) / 100) / 10;
    become(afterChoice(before, choice, Math.min(86_400, seconds)));
    if (before.unsent) void send(before.unsent);
  }

  async function fill() {
    if (isFilling.current) return;
    isFilling.current = true;
    const { queue, skipped } = latest.current;
    const answered = await fetchPairs(
      experimentId,
      Math.min(MAX_PAIRS_PER_REQUEST, queue.length + skipped.length + MIN_QUEUE_LENGTH + REFILL_SIZE),
    );
    isFilling.current = false;
    setUnfilled(answered.ok ? null : answered.problem.message);
    if (answered.ok) become(afterRefill(latest.current, answered.value.items));
  }

  const pairId = current?.pair;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time starts again with each pair
  useEffect(() => {
    shownAt.current = performance.now();
    window.scrollTo(0, 0);
  }, [pairId]);

  const wantsMore = state.queue.length < MIN_QUEUE_LENGTH && hasMore(state) && unfilled === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each pair that leaves the queue
  useEffect(() => {
    if (wantsMore) void fill();
  }, [wantsMore, state.queue.length]);

  const isLast = state.unsent !== null && current === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sendHeld reads the current choice when the time is over
  useEffect(() => {
    if (!isLast) return;
    const timer = setTimeout(sendHeld, UNDO_MS);
    return () => clearTimeout(timer);
  }, [isLast]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the user leaves the page
  useEffect(() => {
    isLeft.current = false;
    const leave = () => {
      for (const answer of takeUnsaved()) void send(answer);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      isLeft.current = true;
      void sendAfterLeaving(takeUnsaved());
    };
  }, []);

  return {
    ...state,
    current,
    isLoading: current === null && hasMore(state) && unfilled === null,
    unfilled,
    choose,
    skip: () => become(afterSkip(latest.current)),
    undo: () => become(afterUndo(latest.current)),
    recall: () => become(afterRecall(latest.current)),
    fillAgain: () => setUnfilled(null),
    sendAgain: () => {
      const { failed } = latest.current;
      become({ ...latest.current, failed: [] });
      for (const { answer } of failed) void send(answer);
    },
  };
}

function fetchPairs(experimentId: string, limit: number): Promise<Result<ShownPairs>> {
  return callApi('GET /api/v1/experiments/{id}/blind-pairs', { params: { id: experimentId }, query: { limit } });
}

/**
 * Sends an answer, also while the page is being left. Not a server action, because those are aborted with their page. A duplicate is not an
 * error: the first answer wins.
 */
async function sendPreference(experimentId: string, { pair, choice, seconds }: BlindAnswer): Promise<Result<null>> {
  const sent = await callApi('POST /api/v1/experiments/{id}/preferences', {
    params: { id: experimentId },
    body: { pair: pair.pair, choice, seconds },
    keepalive: true,
  });
  return sent.ok || sent.problem.code === 'conflict' ? succeed(null) : sent;
}
