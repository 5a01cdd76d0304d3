import type { Database } from './database.ts';

/** What triggers announce: see the migration `announced_changes`. `applyMigrations` announces `schema`. */
export type ChangeKind = 'providers' | 'targets' | 'limits' | 'lessons' | 'work' | 'ended' | 'processes' | 'schema';

/** The channel of the announcements; the payload is the kind. */
export const CHANGES_CHANNEL = 'hone_changes';

/** How long what was read is used at most, in milliseconds: a connection can be dead without a word. */
const LONGEST_MS = 20_000;
/** The same where no announcements are heard. */
const UNHEARD_MS = 1_000;
/** Entries that `keptWhileUnchanged` keeps, at most. */
const MOST_KEPT = 1_000;

/** `since` is the count at which this process began to listen; null while it does not. */
type Heard = { since: number | null; counts: Map<string, number>; lastCount: number; listeners: Set<() => void> };

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeChanges: WeakMap<object, Heard> | undefined;
}

type Owner = Pick<Database, 'pool'>;

function heardBy({ pool }: Owner): Heard {
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

/** From now on each announcement is passed to `noteChange`. What was read before may have changed unheard. */
export function beginHearing(database: Owner): void {
  const heard = heardBy(database);
  heard.lastCount++;
  heard.since = heard.lastCount;
}

/** Announcements are heard no more. */
export function endHearing(database: Owner): void {
  heardBy(database).since = null;
}

/** Notes that something of a kind has changed. */
export function noteChange(database: Owner, kind: string): void {
  const heard = heardBy(database);
  heard.lastCount++;
  heard.counts.set(kind, heard.lastCount);
  for (const listener of heard.listeners) listener();
}

/**
 * Waits until a change of one of these kinds is announced after a mark, for at most so long, in milliseconds. `stop` ends it before; it
 * does not throw.
 */
export async function nextChange(
  database: Owner,
  mark: Mark,
  kinds: readonly ChangeKind[],
  longestMs: number,
  stop?: AbortSignal,
): Promise<void> {
  const { listeners } = heardBy(database);
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

/** A moment before a read. `count` is null where no announcements were heard. */
export type Mark = { atMs: number; count: number | null };

/** To be taken before the read whose answer is kept. */
export function markChanges(database: Owner): Mark {
  const { since, lastCount } = heardBy(database);
  return { atMs: performance.now(), count: since === null ? null : lastCount };
}

/** Whether all changes since a mark were heard, and whether one of these kinds was among them. */
export function changeSince(database: Owner, mark: Mark, kinds: readonly ChangeKind[]): 'unheard' | 'changed' | 'none' {
  const { since, counts } = heardBy(database);
  const { count } = mark;
  if (since === null || count === null || count < since) return 'unheard';
  return kinds.some((kind) => (counts.get(kind) ?? 0) > count) ? 'changed' : 'none';
}

/**
 * Whether what was read after a mark may still be used: no change of these kinds was announced since. Where no announcements are heard,
 * for `unheardMs`.
 */
export function isUnchanged(
  database: Owner,
  mark: Mark,
  kinds: readonly ChangeKind[],
  unheardMs: number = UNHEARD_MS,
): boolean {
  const ageMs = performance.now() - mark.atMs;
  const change = changeSince(database, mark, kinds);
  return change === 'unheard' ? ageMs < unheardMs : change === 'none' && ageMs < LONGEST_MS;
}

/** Keeps what was read by its key until a change of these kinds is announced. What could not be read is not kept. */
export function keptWhileUnchanged<Key, Value>(
  database: Owner,
  kinds: readonly ChangeKind[],
  read: (key: Key) => Promise<Value>,
): { get: (key: Key) => Promise<Value>; forget: () => void } {
  const entries = new Map<Key, { mark: Mark; value: Promise<Value> }>();
  const get = (key: Key): Promise<Value> => {
    const known = entries.get(key);
    if (known !== undefined && isUnchanged(database, known.mark, kinds)) return known.value;
    if (entries.size >= MOST_KEPT) entries.clear();
    const entry = { mark: markChanges(database), value: read(key) };
    entry.value.catch(() => entries.get(key) === entry && entries.delete(key));
    entries.set(key, entry);
    return entry.value;
  };
  return { get, forget: () => entries.clear() };
}
