import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { UNDO_MS } from '#components/ui/use-send-at.ts';
import type { ShownPairs } from '#lib/blind-review/blind-pairs.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import {
  afterChoice,
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

const FEW = 3;
const AT_ONCE = 10;
/** What the API gives at most. */
const MOST = 200;

/**
 * The pairs a person judges. An answer is held back until the next one is given, and can be taken back till then; where none
 * follows it is sent after a moment, and who leaves the page has given it.
 */
export function useBlindReview(experimentId: string, initial: ShownPairs) {
  const router = useRouter();
  const [state, setState] = useState<BlindState>(() => blindState(initial));
  const [unsent, setUnsent] = useState<{ answer: BlindAnswer; message: string }[]>([]);
  const [unfilled, setUnfilled] = useState<string | null>(null);
  // Two keys may come before the page is drawn anew.
  const latest = useRef(state);
  const shownAt = useRef(0);
  const isFilling = useRef(false);
  const current = state.queue[0] ?? null;

  function become(next: BlindState) {
    latest.current = next;
    setState(next);
  }

  async function send(answer: BlindAnswer) {
    const result = await sendPreference(experimentId, answer);
    if (!result.ok) setUnsent((others) => [...others, { answer, message: result.problem.message }]);
  }

  function sendHeld(): Promise<void> | null {
    const { held } = latest.current;
    if (held === null) return null;
    become(afterSending(latest.current));
    return send(held);
  }

  function choose(choice: BlindChoice) {
    const before = latest.current;
    if (before.queue.length === 0) return;
    const seconds = Math.round((performance.now() - shownAt.current) / 100) / 10;
    become(afterChoice(before, choice, Math.min(86_400, seconds)));
    if (before.held) void send(before.held);
  }

  async function fill() {
    if (isFilling.current) return;
    isFilling.current = true;
    const { queue, skipped } = latest.current;
    const answered = await fetchPairs(experimentId, Math.min(MOST, queue.length + skipped.length + FEW + AT_ONCE));
    isFilling.current = false;
    setUnfilled(answered.ok ? null : answered.problem.message);
    if (answered.ok) become(afterRefill(latest.current, answered.value.items));
  }

  const pairId = current?.pair;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of a pair begins when it is another one
  useEffect(() => {
    shownAt.current = performance.now();
    window.scrollTo(0, 0);
  }, [pairId]);

  const wantsMore = state.queue.length < FEW && hasMore(state) && unfilled === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each pair that leaves the queue
  useEffect(() => {
    if (wantsMore) void fill();
  }, [wantsMore, state.queue.length]);

  const isLast = state.held !== null && current === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sendHeld reads what is held when the time is over
  useEffect(() => {
    if (!isLast) return;
    const timer = setTimeout(() => void sendHeld(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [isLast]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is left
  useEffect(() => {
    const leave = () => void sendHeld();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      // The page that comes was read before this was stored.
      void sendHeld()?.then(() => router.refresh());
    };
  }, []);

  return {
    ...state,
    current,
    isLoading: current === null && hasMore(state) && unfilled === null,
    unsent,
    unfilled,
    choose,
    skip: () => become(afterSkip(latest.current)),
    undo: () => become(afterUndo(latest.current)),
    recall: () => become(afterRecall(latest.current)),
    fillAgain: () => setUnfilled(null),
    sendAgain: () => {
      setUnsent([]);
      for (const { answer } of unsent) void send(answer);
    },
  };
}

/** Asks for the next pairs. */
function fetchPairs(experimentId: string, limit: number): Promise<Result<ShownPairs>> {
  return callApi('GET /api/v1/experiments/{id}/blind-pairs', { params: { id: experimentId }, query: { limit } });
}

/**
 * Sends an answer; it arrives also when the page is being left. Not a server action: those end with their page. What is said
 * twice is no problem: the first word stands.
 */
async function sendPreference(experimentId: string, { pair, choice, seconds }: BlindAnswer): Promise<Result<null>> {
  const sent = await callApi('POST /api/v1/experiments/{id}/preferences', {
    params: { id: experimentId },
    body: { pair: pair.pair, choice, seconds },
    keepalive: true,
  });
  return sent.ok || sent.problem.code === 'conflict' ? succeed(null) : sent;
}
