import type { ShownPair, ShownPairs } from '#lib/blind-review/blind-pairs.ts';

export type BlindChoice = 'left' | 'right' | 'tie';
/** An answer, and how long its pair was looked at. */
export type BlindAnswer = { pair: ShownPair; choice: BlindChoice; seconds: number };

/** A person's pairs: the first of `queue` is before them. `held` is their last answer, not sent yet; `sent` names those that were. */
export type BlindState = {
  queue: ShownPair[];
  skipped: ShownPair[];
  held: BlindAnswer | null;
  sent: string[];
  judged: number;
  remaining: number;
};

/** The state at the start of a visit. */
export function blindState({ items, judged, remaining }: ShownPairs): BlindState {
  return { queue: items, skipped: [], held: null, sent: [], judged, remaining };
}

/** After an answer about the pair that is shown. What was held before it is let go: the caller sends it. */
export function afterChoice(state: BlindState, choice: BlindChoice, seconds: number): BlindState {
  const [pair, ...queue] = state.queue;
  if (pair === undefined) return state;
  const { judged, remaining } = state;
  return {
    ...afterSending(state),
    queue,
    held: { pair, choice, seconds },
    judged: judged + 1,
    remaining: Math.max(0, remaining - 1),
  };
}

/** After taking the last answer back: its pair is shown again. */
export function afterUndo(state: BlindState): BlindState {
  if (state.held === null) return state;
  const { judged, remaining } = state;
  return {
    ...state,
    queue: [state.held.pair, ...state.queue],
    held: null,
    judged: judged - 1,
    remaining: remaining + 1,
  };
}

/** After the held answer was given out to be sent: it can't be taken back any more. */
export function afterSending(state: BlindState): BlindState {
  return state.held === null ? state : { ...state, held: null, sent: [...state.sent, state.held.pair.pair] };
}

/** After laying the pair that is shown aside for later. */
export function afterSkip(state: BlindState): BlindState {
  const [pair, ...queue] = state.queue;
  return pair === undefined ? state : { ...state, queue, skipped: [...state.skipped, pair] };
}

/** After asking for the skipped ones again. */
export function afterRecall(state: BlindState): BlindState {
  return { ...state, queue: [...state.queue, ...state.skipped], skipped: [] };
}

/** After the app was asked for more: what is not here yet comes behind. Where nothing is new, nothing more remains. */
export function afterRefill(state: BlindState, items: readonly ShownPair[]): BlindState {
  const known = new Set([...state.sent, ...[...state.queue, ...state.skipped].map(({ pair }) => pair)]);
  const fresh = items.filter(({ pair }) => !known.has(pair) && pair !== state.held?.pair.pair);
  if (fresh.length > 0) return { ...state, queue: [...state.queue, ...fresh] };
  return { ...state, remaining: state.queue.length + state.skipped.length };
}

/** Whether the app has pairs that are not here yet. */
export function hasMore({ queue, skipped, remaining }: BlindState): boolean {
  return remaining > queue.length + skipped.length;
}
