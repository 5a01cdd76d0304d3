import { EventEmitter } from 'node:events';
import type { ModelRequest, TextRole } from '#lib/reflection/model-request.ts';

/** How long a run that was started to be watched waits for its watcher's connection, in milliseconds. */
const EXPECTED_MS = 15_000;

/** How much of the call in flight is kept for those who come late, in characters: its last words. */
const MOST_KEPT = 20_000;

type Live = {
  emitter: EventEmitter;
  watchers: Map<string, number>;
  /** Until when, by the steady clock. */
  expected: Map<string, number>;
  /** What the call in flight has said so far, per run. */
  said: Map<string, LiveText>;
};

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeLive: Live | undefined;
}

/** Roles whose text is shown while it is written. */
export type LiveRole = Exclude<TextRole, 'try' | 'judge'>;

/** A piece of what a model is writing. With `start` it is all there is of the call so far, and not what comes next. */
export type LiveText = { role: LiveRole; text: string; start?: true };

/**
 * Hears of a run until the answer is called: `onEvents` when new events are stored, `onText` for the text of the call in flight,
 * at once for what was said of it before.
 */
export function followRun(runId: string, listener: { onEvents(): void; onText(piece: LiveText): void }): () => void {
  const { emitter, watchers, expected, said } = live();
  const onEvents = () => listener.onEvents();
  const onText = (piece: LiveText) => listener.onText(piece);
  emitter.on(`events ${runId}`, onEvents);
  emitter.on(`text ${runId}`, onText);
  watchers.set(runId, (watchers.get(runId) ?? 0) + 1);
  expected.delete(runId);
  const before = said.get(runId);
  if (before !== undefined) listener.onText({ ...before, start: true });
  return () => {
    emitter.off(`events ${runId}`, onEvents);
    emitter.off(`text ${runId}`, onText);
    const left = (watchers.get(runId) ?? 1) - 1;
    if (left > 0) watchers.set(runId, left);
    else watchers.delete(runId);
  };
}

/** Says that somebody is about to watch a run, so that its first call streams too. */
export function expectWatcher(runId: string): void {
  const { expected } = live();
  expected.set(runId, performance.now() + EXPECTED_MS);
}

type Asked = Pick<ModelRequest, 'role' | 'ordinal'>;

/** Whether the text of a call is for watchers. Vectors are no text; of the tries of a prompt, and of workers' turns, several are in flight at once: of these the first is shown. */
export function isShown(asked: Asked): asked is Asked & { role: LiveRole } {
  const { role, ordinal } = asked;
  return role !== 'embed' && role !== 'try' && role !== 'judge' && (role !== 'turn' || ordinal === 0);
}

/** Where the text of a run's call goes while somebody watches; null when nobody does, and the call need not stream. */
export function liveText(runId: string, asked: Asked): ((piece: string) => void) | null {
  if (!isShown(asked)) return null;
  const { role } = asked;
  const { emitter, watchers, expected, said } = live();
  const expectedUntil = expected.get(runId) ?? 0;
  if (!watchers.has(runId) && expectedUntil < performance.now()) {
    expected.delete(runId);
    return null;
  }
  const call: LiveText = { role, text: '' };
  said.set(runId, call);
  emitter.emit(`text ${runId}`, { ...call, start: true } satisfies LiveText);
  return (piece) => {
    call.text += piece;
    // Cut now and then and not at every piece.
    if (call.text.length > 2 * MOST_KEPT) call.text = call.text.slice(-MOST_KEPT);
    emitter.emit(`text ${runId}`, { role, text: piece } satisfies LiveText);
  };
}

/** The run's call has ended: its text is kept no longer. */
export function endLiveText(runId: string): void {
  live().said.delete(runId);
}

/** Passes on that new events of a run are stored. */
export function announceEvents(runId: string): void {
  live().emitter.emit(`events ${runId}`);
}

function live(): Live {
  globalThis.honeLive ??= {
    emitter: new EventEmitter().setMaxListeners(0),
    watchers: new Map(),
    expected: new Map(),
    said: new Map(),
  };
  return globalThis.honeLive;
}
