import { EventEmitter } from 'node:events';
import type { ModelRequest, TextRole } from '#lib/core/model-request.ts';

/** How long a run that was started to be watched waits for its watcher's connection, in milliseconds. */
const EXPECTED_MS = 15_000;

/** Pieces of a call's text that come sooner after one another go out together, in milliseconds: nobody reads faster. */
const TEXT_EVERY_MS = 40;

/** How much of the call in flight is kept for those who come late, in characters: its last words. */
const MOST_KEPT = 20_000;

type Live = {
  emitter: EventEmitter;
  watchers: Map<string, number>;
  /** Until when, by the steady clock. */
  expected: Map<string, number>;
  /** What the calls in flight have said so far, per run. The first one is shown. */
  said: Map<string, Saying[]>;
  /** Of runs that are followed: grows with each announcement, and is never the same again. */
  generations: Map<string, number>;
  lastGeneration: number;
};

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeLive: Live | undefined;
}

/** A call that is being written: `text` is all of it so far, and of that `unsent` did not go out yet. */
type Saying = LiveText & { ordinal: number; unsent: string; timer: NodeJS.Timeout | null };

/** Roles whose text is shown while it is written. */
type LiveRole = Exclude<TextRole, 'try' | 'judge' | 'lesson_check'>;

/** A piece of what a model is writing. With `start` it is all there is of the call so far, and not what comes next. */
export type LiveText = { role: LiveRole; text: string; start?: true };

/**
 * Hears of a run until the answer is called: `onEvents` when new events are stored, `onText` for the text of the call in flight,
 * at once for what was said of it before.
 */
export function followRun(runId: string, listener: { onEvents(): void; onText(piece: LiveText): void }): () => void {
  const { emitter, watchers, expected, said } = live();
  // Who comes now is given all of it, and must not hear the end of it again.
  sendUnsent(runId);
  const onEvents = () => listener.onEvents();
  const onText = (piece: LiveText) => listener.onText(piece);
  emitter.on(`events ${runId}`, onEvents);
  emitter.on(`text ${runId}`, onText);
  if (!watchers.has(runId)) renewGeneration(runId);
  watchers.set(runId, (watchers.get(runId) ?? 0) + 1);
  expected.delete(runId);
  const before = said.get(runId)?.at(0);
  if (before !== undefined) listener.onText({ role: before.role, text: before.text, start: true });
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

/** What was read of a followed run holds for as long as this number stays the same; null where nobody follows it. */
export function eventGeneration(runId: string): number | null {
  return live().generations.get(runId) ?? null;
}

function renewGeneration(runId: string): void {
  const state = live();
  state.lastGeneration += 1;
  state.generations.set(runId, state.lastGeneration);
}

/** Says that somebody is about to watch a run, so that its first call streams too. */
export function expectWatcher(runId: string): void {
  const { expected } = live();
  expected.set(runId, performance.now() + EXPECTED_MS);
}

type Asked = Pick<ModelRequest, 'role' | 'ordinal'>;

/** Whether the text of a call is for watchers. Embeddings and tries are not shown. Of parallel turns of workers, the first is shown. */
export function isShown(asked: Asked): asked is Asked & { role: LiveRole } {
  const { role, ordinal } = asked;
  if (role === 'embed' || role === 'try' || role === 'judge' || role === 'lesson_check') return false;
  return role !== 'turn' || ordinal === 0;
}

/**
 * Where the text of a run's call goes while somebody watches; null when nobody does, and the call need not stream. Proposals are written
 * at the same time: the first one is shown until it ends, then the next one.
 */
export function liveText(runId: string, asked: Asked): ((piece: string) => void) | null {
  if (!isShown(asked)) return null;
  const { role, ordinal } = asked;
  const { watchers, expected, said } = live();
  const expectedUntil = expected.get(runId) ?? 0;
  if (!watchers.has(runId) && expectedUntil < performance.now()) {
    expected.delete(runId);
    return null;
  }
  sendUnsent(runId);
  const call: Saying = { role, ordinal, text: '', unsent: '', timer: null };
  const others = (said.get(runId) ?? []).filter((other) => role === 'reflect' && !isOf(other, asked));
  keep(runId, [...others, call]);
  return (piece) => {
    call.text += piece;
    call.unsent += piece;
    // Cut now and then and not at every piece.
    if (call.text.length > 2 * MOST_KEPT) call.text = call.text.slice(-MOST_KEPT);
    call.timer ??= setTimeout(() => send(runId, call), TEXT_EVERY_MS).unref();
  };
}

function send(runId: string, call: Saying): void {
  if (call.timer !== null) clearTimeout(call.timer);
  call.timer = null;
  const { role, unsent } = call;
  call.unsent = '';
  const { emitter, said } = live();
  if (unsent !== '' && said.get(runId)?.at(0) === call)
    emitter.emit(`text ${runId}`, { role, text: unsent } satisfies LiveText);
}

function sendUnsent(runId: string): void {
  for (const call of live().said.get(runId) ?? []) send(runId, call);
}

/** Ends a call: sends the rest of its text and removes it. The next call in flight is shown. */
export function endLiveText(runId: string, asked: Asked): void {
  sendUnsent(runId);
  const calls = live().said.get(runId) ?? [];
  keep(
    runId,
    calls.filter((call) => !isOf(call, asked)),
  );
}

function isOf({ role, ordinal }: Saying, asked: Asked): boolean {
  return role === asked.role && ordinal === asked.ordinal;
}

/** Keeps these calls as those in flight. If another one comes first, it takes the place of the text that was shown. */
function keep(runId: string, calls: Saying[]): void {
  const { emitter, said } = live();
  const [next] = calls;
  const before = said.get(runId)?.at(0);
  if (next === undefined) said.delete(runId);
  else said.set(runId, calls);
  if (next !== undefined && next !== before)
    emitter.emit(`text ${runId}`, { role: next.role, text: next.text, start: true } satisfies LiveText);
}

/** Passes on that new events of a run are stored. */
export function announceEvents(runId: string): void {
  const { emitter, watchers } = live();
  if (watchers.has(runId)) renewGeneration(runId);
  emitter.emit(`events ${runId}`);
}

/** The same for every run that is followed: news of some may have been missed. */
export function announceAllEvents(): void {
  for (const runId of [...live().watchers.keys()]) announceEvents(runId);
}

function live(): Live {
  globalThis.honeLive ??= {
    emitter: new EventEmitter().setMaxListeners(0),
    watchers: new Map(),
    expected: new Map(),
    said: new Map(),
    generations: new Map(),
    lastGeneration: 0,
  };
  return globalThis.honeLive;
}
