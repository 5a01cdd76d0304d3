import type { ShownPair, ShownPairs } from '#lib/blind-review/blind-pairs.ts';

export type BlindChoice = 'left' | 'right' | 'tie';
/** An answer and the time its pair was shown, in seconds. */
export type BlindAnswer = { pair: ShownPair; choice: BlindChoice; seconds: number };

/** An answer that could not be saved, and the reason. */
export type FailedAnswer = { answer: BlindAnswer; message: string };

/**
 * State of a blind review. The first pair of `queue` is shown. `unsent`: the last answer, not sent yet. `sent`: ids of the pairs whose
 * answers were sent. `failed`: the answers that could not be saved.
 */
export type BlindState = {
  queue: ShownPair[];
  skipped: ShownPair[];
  unsent: BlindAnswer | null;
  sent: string[];
  failed: FailedAnswer[];
  judged: number;
  remaining: number;
};

/** Returns the initial state. */
export function blindState({ items, judged, remaining }: ShownPairs): BlindState {
  return { queue: items, skipped: [], unsent: null, sent: [], failed: [], judged, remaining };
}

/** Returns the state after an answer to the current pair. The previously held answer is dropped, because the caller sends it. */
export function afterChoice(state: BlindState, choice: BlindChoice, seconds: number): BlindState {
  const [pair, ...queue] = state.queue;
  if (pair === undefined) return state;
  const { judged, remaining } = state;
  return {
    ...afterSending(state),
    queue,
    unsent: { pair, choice, seconds },
    judged: judged + 1,
    remaining: Math.max(0, remaining - 1),
  };
}

/** Returns the state after an undo. The pair of the held answer is shown again. */
export function afterUndo(state: BlindState): BlindState {
  if (state.unsent === null) return state;
  const { judged, remaining } = state;
  return {
    ...state,
    queue: [state.unsent.pair, ...state.queue],
    unsent: null,
    judged: judged - 1,
    remaining: remaining + 1,
  };
}

/** Returns the state after the held answer is sent. It can no longer be undone. */
export function afterSending(state: BlindState): BlindState {
  return state.unsent === null ? state : { ...state, unsent: null, sent: [...state.sent, state.unsent.pair.pair] };
}

/** Returns the answers to send when the page is left, and the state after that. */
export function afterLeaving(state: BlindState): { unsaved: BlindAnswer[]; next: BlindState } {
  const unsaved = [...state.failed.map(({ answer }) => answer), ...(state.unsent === null ? [] : [state.unsent])];
  return { unsaved, next: { ...afterSending(state), failed: [] } };
}

/** Returns the state after the current pair is skipped. */
export function afterSkip(state: BlindState): BlindState {
  const [pair, ...queue] = state.queue;
  return pair === undefined ? state : { ...state, queue, skipped: [...state.skipped, pair] };
}

/** Returns the state after the skipped pairs are put back in the queue. */
export function afterRecall(state: BlindState): BlindState {
  return { ...state, queue: [...state.queue, ...state.skipped], skipped: [] };
}

/** Returns the state after a fetch. New pairs are appended to the queue. If none is new, `remaining` becomes the number of loaded pairs. */
export function afterRefill(state: BlindState, items: readonly ShownPair[]): BlindState {
  const known = new Set([...state.sent, ...[...state.queue, ...state.skipped].map(({ pair }) => pair)]);
  const fresh = items.filter(({ pair }) => !known.has(pair) && pair !== state.unsent?.pair.pair);
  if (fresh.length > 0) return { ...state, queue: [...state.queue, ...fresh] };
  return { ...state, remaining: state.queue.length + state.skipped.length };
}

/** True if the server has pairs that are not loaded yet. */
export function hasMore({ queue, skipped, remaining }: BlindState): boolean {
  return remaining > queue.length + skipped.length;
}
