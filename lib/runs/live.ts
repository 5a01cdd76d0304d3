import { EventEmitter } from 'node:events';
import type { ModelRole } from '#lib/reflection/settings.ts';

/** How long a run that was started to be watched waits for its watcher's connection, in milliseconds. */
const EXPECTED_MS = 15_000;

type Live = { emitter: EventEmitter; watchers: Map<string, number>; expected: Map<string, number> };

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeLive: Live | undefined;
}

export type LiveText = { role: ModelRole; text: string };

/** Hears of a run until the answer is called: `onEvents` when new events are stored, `onText` for the text of the call in flight. */
export function followRun(runId: string, listener: { onEvents(): void; onText(piece: LiveText): void }): () => void {
  const { emitter, watchers, expected } = live();
  const onEvents = () => listener.onEvents();
  const onText = (piece: LiveText) => listener.onText(piece);
  emitter.on(`events ${runId}`, onEvents);
  emitter.on(`text ${runId}`, onText);
  watchers.set(runId, (watchers.get(runId) ?? 0) + 1);
  expected.delete(runId);
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
  expected.set(runId, Date.now() + EXPECTED_MS);
}

/** Where the text of a run's call goes while somebody watches; null when nobody does, and the call need not stream. */
export function liveText(runId: string, role: ModelRole): ((piece: string) => void) | null {
  const { emitter, watchers, expected } = live();
  const expectedUntil = expected.get(runId) ?? 0;
  if (!watchers.has(runId) && expectedUntil < Date.now()) {
    expected.delete(runId);
    return null;
  }
  emitter.emit(`text ${runId}`, { role, text: '' } satisfies LiveText);
  return (piece) => void emitter.emit(`text ${runId}`, { role, text: piece } satisfies LiveText);
}

/** Passes on that new events of a run are stored. */
export function announceEvents(runId: string): void {
  live().emitter.emit(`events ${runId}`);
}

function live(): Live {
  globalThis.honeLive ??= { emitter: new EventEmitter().setMaxListeners(0), watchers: new Map(), expected: new Map() };
  return globalThis.honeLive;
}
