import type { Database } from './database.ts';

/** Kinds of changes that triggers announce. See the migration `announced_changes`. `applyMigrations` announces `schema`. */
export type ChangeKind = 'providers' | 'targets' | 'limits' | 'lessons' | 'work' | 'ended' | 'processes' | 'schema';

/** Channel of the announcements. The payload is the kind. */
export const CHANGES_CHANNEL = 'hone_changes';

/** Maximum age of a cached value, in milliseconds, because a connection can be dead without an error. */
const MAX_CACHE_AGE_MS = 20_000;
/** Maximum age of a cached value while there are no announcements, in milliseconds. */
const MAX_AGE_WITHOUT_LISTENER_MS = 1_000;
const MAX_CACHE_ENTRIES = 1_000;

/** `since` is the count at which this process started to listen. Null while it does not. */
type ListenerState = {
  since: number | null;
  counts: Map<string, number>;
  lastCount: number;
  listeners: Set<() => void>;
};

declare global {
  // Pages, routes and the worker have separate module instances. They only share `globalThis`.
  var honeChanges: WeakMap<object, ListenerState> | undefined;
}

type Owner = Pick<Database, 'pool'>;

function getListenerState({ pool }: Owner): ListenerState {
  globalThis.honeChanges ??= new WeakMap();
  const known = globalThis.honeChanges.get(pool) ?? {
    since: null,
    counts: new Map(),
    lastCount: 0,
    listeners: new Set(),
  };
  globalThis.honeChanges.set(pool, known);
  return known;
}

/** Marks the start of listening: each announcement is now passed to `markChanged`. Earlier reads may have missed changes. */
export function startListening(database: Owner): void {
  const state = getListenerState(database);
  state.lastCount++;
  state.since = state.lastCount;
}

/** Marks the end of listening: announcements are no longer received. */
export function stopListening(database: Owner): void {
  getListenerState(database).since = null;
}

/** Records a change of a kind. */
export function markChanged(database: Owner, kind: string): void {
  const state = getListenerState(database);
  state.lastCount++;
  state.counts.set(kind, state.lastCount);
  for (const listener of state.listeners) listener();
}

/**
 * Waits until a change of one of these kinds is announced after a mark, with a timeout in milliseconds. `stop` ends the wait early without
 * throwing.
 */
export async function nextChange(
  database: Owner,
  mark: Mark,
  kinds: readonly ChangeKind[],
  longestMs: number,
  stop?: AbortSignal,
): Promise<void> {
  const { listeners } = getListenerState(database);
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = () => {
    if (changeSince(database, mark, kinds) === 'changed') resolve();
  };
  const timer = setTimeout(resolve, Math.max(0, longestMs));
  const end = () => resolve();
  stop?.addEventListener('abort', end, { once: true });
  listeners.add(listener);
  listener();
  if (stop?.aborted) resolve();
  await promise;
  listeners.delete(listener);
  stop?.removeEventListener('abort', end);
  clearTimeout(timer);
}

/** A time before a read. `count` is null if there were no announcements. */
export type Mark = { atMs: number; count: number | null };

/** Returns the mark for a cached value. Must be called before the read. */
export function markChanges(database: Owner): Mark {
  const { since, lastCount } = getListenerState(database);
  return { atMs: performance.now(), count: since === null ? null : lastCount };
}

/** Returns `unknown` if changes since a mark may have been missed, else `changed` if one of these kinds was announced. */
export function changeSince(database: Owner, mark: Mark, kinds: readonly ChangeKind[]): 'unknown' | 'changed' | 'none' {
  const { since, counts } = getListenerState(database);
  const { count } = mark;
  if (since === null || count === null || count < since) return 'unknown';
  return kinds.some((kind) => (counts.get(kind) ?? 0) > count) ? 'changed' : 'none';
}

/**
 * True if a value read after a mark is still valid: no change of these kinds was announced since. Without announcements, it is valid for
 * `maxAgeMs`.
 */
export function isUnchanged(
  database: Owner,
  mark: Mark,
  kinds: readonly ChangeKind[],
  maxAgeMs: number = MAX_AGE_WITHOUT_LISTENER_MS,
): boolean {
  const ageMs = performance.now() - mark.atMs;
  const change = changeSince(database, mark, kinds);
  return change === 'unknown' ? ageMs < maxAgeMs : change === 'none' && ageMs < MAX_CACHE_AGE_MS;
}

/** Creates a cache of values by key that are valid until a change of these kinds is announced. Failed reads are not cached. */
export function cacheUntilChanged<Key, Value>(
  database: Owner,
  kinds: readonly ChangeKind[],
  read: (key: Key) => Promise<Value>,
): { get: (key: Key) => Promise<Value>; clear: () => void } {
  const entries = new Map<Key, { mark: Mark; value: Promise<Value> }>();
  const get = (key: Key): Promise<Value> => {
    const known = entries.get(key);
    if (known !== undefined && isUnchanged(database, known.mark, kinds)) return known.value;
    if (entries.size >= MAX_CACHE_ENTRIES) entries.clear();
    const entry = { mark: markChanges(database), value: read(key) };
    entry.value.catch(() => entries.get(key) === entry && entries.delete(key));
    entries.set(key, entry);
    return entry.value;
  };
  return { get, clear: () => entries.clear() };
}
