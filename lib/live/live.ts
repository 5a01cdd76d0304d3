import { EventEmitter } from 'node:events';
import type { ModelRequest, TextRole } from '#lib/core/model-request.ts';

/** Time that a run started for a viewer waits for the viewer's connection, in milliseconds. */
const EXPECTED_MS = 15_000;

/** Interval at which a call's text is sent, in milliseconds. Pieces within it are sent together. */
const TEXT_EVERY_MS = 40;

/** Maximum text of the call in flight that is kept for late subscribers, in characters. The end of the text is kept. */
const MAX_BUFFERED_TEXT = 20_000;

type Live = {
  emitter: EventEmitter;
  watchers: Map<string, number>;
  /** Expiry times by the monotonic clock. */
  expected: Map<string, number>;
  /** Text so far of the calls in flight, per run. The first call is shown. */
  streams: Map<string, StreamingCall[]>;
  /** Generation numbers of followed runs. Each announcement sets a new, higher number. */
  generations: Map<string, number>;
  lastGeneration: number;
};

declare global {
  // Pages, routes and the worker are separate module instances that share only `globalThis`.
  var honeLive: Live | undefined;
}

/** Call that is streaming: `text` is its whole text so far, `unsent` the part not sent yet. */
type StreamingCall = LiveText & { ordinal: number; unsent: string; timer: NodeJS.Timeout | null };

/** Roles whose text is shown while it streams. */
type LiveRole = Exclude<TextRole, 'try' | 'judge' | 'lesson_check'>;

/** Piece of the text that a model is streaming. With `start`, it is the whole text of the call so far, not a continuation. */
export type LiveText = { role: LiveRole; text: string; start?: true };

/**
 * Subscribes to a run and returns the unsubscribe function. `onEvents` is called when new events are stored. `onText` is called for text of
 * the call in flight, and immediately with its text so far.
 */
export function followRun(runId: string, listener: { onEvents(): void; onText(piece: LiveText): void }): () => void {
  const { emitter, watchers, expected } = live();
  // A new subscriber gets the whole text and must not receive the unsent part again.
  sendUnsent(runId);
  const onEvents = () => listener.onEvents();
  const onText = (piece: LiveText) => listener.onText(piece);
  emitter.on(`events ${runId}`, onEvents);
  emitter.on(`text ${runId}`, onText);
  if (!watchers.has(runId)) renewGeneration(runId);
  watchers.set(runId, (watchers.get(runId) ?? 0) + 1);
  expected.delete(runId);
  const before = textSoFar(runId);
  if (before !== null) listener.onText(before);
  return () => {
    emitter.off(`events ${runId}`, onEvents);
    emitter.off(`text ${runId}`, onText);
    const left = (watchers.get(runId) ?? 1) - 1;
    if (left > 0) watchers.set(runId, left);
    else {
      watchers.delete(runId);
      live().generations.delete(runId);
    }
  };
}

/** Returns the whole text so far of the call that is shown, after all subscribers have received it. Null if there is none. */
export function textSoFar(runId: string): LiveText | null {
  sendUnsent(runId);
  const call = live().streams.get(runId)?.at(0);
  return call === undefined || call.text === '' ? null : { role: call.role, text: call.text, start: true };
}

/** Returns the generation of a followed run, or null if nobody follows it. Data read from the run is valid until this number changes. */
export function eventGeneration(runId: string): number | null {
  return live().generations.get(runId) ?? null;
}

function renewGeneration(runId: string): void {
  const state = live();
  state.lastGeneration += 1;
  state.generations.set(runId, state.lastGeneration);
}

/** Announces that a viewer is about to connect to a run, so that its first call streams too. */
export function expectWatcher(runId: string): void {
  const { expected } = live();
  expected.set(runId, performance.now() + EXPECTED_MS);
}

type CallKey = Pick<ModelRequest, 'role' | 'ordinal'>;

/**
 * Returns true if the text of a call is shown to viewers. Embeddings and example scores are not shown. Of parallel worker turns, the first
 * is shown.
 */
export function isShown(call: CallKey): call is CallKey & { role: LiveRole } {
  const { role, ordinal } = call;
  if (role === 'embed' || role === 'try' || role === 'judge' || role === 'lesson_check') return false;
  return role !== 'turn' || ordinal === 0;
}

/**
 * Returns the sink for the text of a run's call, or null if nobody is watching and the call need not stream. Proposals stream in parallel:
 * the first is shown until it ends, then the next one.
 */
export function liveText(runId: string, key: CallKey): ((piece: string) => void) | null {
  if (!isShown(key)) return null;
  const { role, ordinal } = key;
  const { watchers, expected, streams } = live();
  const expectedUntil = expected.get(runId) ?? 0;
  if (!watchers.has(runId) && expectedUntil < performance.now()) {
    expected.delete(runId);
    return null;
  }
  sendUnsent(runId);
  const call: StreamingCall = { role, ordinal, text: '', unsent: '', timer: null };
  const others = (streams.get(runId) ?? []).filter((other) => role === 'reflect' && !isOf(other, key));
  setStreamingCalls(runId, [...others, call]);
  return (piece) => {
    call.text += piece;
    call.unsent += piece;
    // Truncates occasionally instead of on every piece.
    if (call.text.length > 2 * MAX_BUFFERED_TEXT) call.text = call.text.slice(-MAX_BUFFERED_TEXT);
    call.timer ??= setTimeout(() => send(runId, call), TEXT_EVERY_MS).unref();
  };
}

function send(runId: string, call: StreamingCall): void {
  if (call.timer !== null) clearTimeout(call.timer);
  call.timer = null;
  const { role, unsent } = call;
  call.unsent = '';
  const { emitter, streams } = live();
  if (unsent !== '' && streams.get(runId)?.at(0) === call)
    emitter.emit(`text ${runId}`, { role, text: unsent } satisfies LiveText);
}

function sendUnsent(runId: string): void {
  for (const call of live().streams.get(runId) ?? []) send(runId, call);
}

/** Ends a call: sends the rest of its text and removes it. Then the next call in flight is shown. */
export function endLiveText(runId: string, key: CallKey): void {
  sendUnsent(runId);
  const calls = live().streams.get(runId) ?? [];
  setStreamingCalls(
    runId,
    calls.filter((call) => !isOf(call, key)),
  );
}

function isOf({ role, ordinal }: StreamingCall, call: CallKey): boolean {
  return role === call.role && ordinal === call.ordinal;
}

/** Stores the calls in flight. If a different call is now first, its text replaces the text shown. */
function setStreamingCalls(runId: string, calls: StreamingCall[]): void {
  const { emitter, streams } = live();
  const [next] = calls;
  const before = streams.get(runId)?.at(0);
  if (next === undefined) streams.delete(runId);
  else streams.set(runId, calls);
  if (next !== undefined && next !== before)
    emitter.emit(`text ${runId}`, { role: next.role, text: next.text, start: true } satisfies LiveText);
}

/** Announces that new events of a run are stored. */
export function announceEvents(runId: string): void {
  const { emitter, watchers } = live();
  if (watchers.has(runId)) renewGeneration(runId);
  emitter.emit(`events ${runId}`);
}

/** Announces new events of every followed run because some notifications may have been missed. */
export function announceAllEvents(): void {
  for (const runId of [...live().watchers.keys()]) announceEvents(runId);
}

function live(): Live {
  globalThis.honeLive ??= {
    emitter: new EventEmitter().setMaxListeners(0),
    watchers: new Map(),
    expected: new Map(),
    streams: new Map(),
    generations: new Map(),
    lastGeneration: 0,
  };
  return globalThis.honeLive;
}
