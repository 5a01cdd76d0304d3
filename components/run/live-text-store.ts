import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { MODEL_ROLES, type ModelRole } from '#lib/core/model-roles.ts';

/** Partial text of the call in progress. */
export type LiveText = { role: LiveRole; text: string };
/** Role of the call. `turn` is a turn of an agent. */
export type LiveRole = ModelRole | 'turn';
/** Text to append. With `start`, it replaces the previous text. */
export type LiveTextChunk = LiveText & { start?: true | undefined };

/** Stores the live text outside the page state, so that only its subscribers re-render for each piece. */
export type LiveTextStore = {
  get(): LiveText | null;
  append(pieces: readonly LiveTextChunk[]): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
};

export function createLiveTextStore(): LiveTextStore {
  let current: LiveText | null = null;
  const listeners = new Set<() => void>();
  function update(next: LiveText | null): void {
    if (next === current) return;
    current = next;
    for (const listener of listeners) listener();
  }
  return {
    get: () => current,
    append: (pieces) => update(pieces.reduce<LiveText | null>(appendLiveText, current)),
    clear: () => update(null),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A piece with another role belongs to a new call and replaces the text. */
function appendLiveText(sum: LiveText | null, { role, text, start }: LiveTextChunk): LiveText {
  return sum?.role === role && start !== true ? { role, text: sum.text + text } : { role, text };
}

/** Parses a piece of live text from the JSON of an event. Returns null for anything else. */
export function parseLiveTextChunk(json: string): LiveTextChunk | null {
  const piece = parseJson(json);
  if (!isRecord(piece)) return null;
  const role = LIVE_ROLES.find((one) => one === piece.role);
  if (role === undefined || typeof piece.text !== 'string') return null;
  return { role, text: piece.text, ...(piece.start === true && { start: true }) };
}

const LIVE_ROLES: readonly LiveRole[] = [...MODEL_ROLES, 'turn'];
