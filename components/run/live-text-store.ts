import { isRecord } from '#lib/core/is-record.ts';
import { MODEL_ROLES, type ModelRole } from '#lib/core/model-roles.ts';

/** Text of the call in progress, as far as it has come. */
export type LiveText = { role: LiveRole; text: string };
/** The role of the call; `turn` = of an agent. */
export type LiveRole = ModelRole | 'turn';
/** What is added to it; with `start` it takes the place of what was there. */
export type LivePiece = LiveText & { start?: true | undefined };

/** Holds the live text outside of the page's state, so that only those who show it are drawn anew at each piece. */
export type LiveTextStore = {
  get(): LiveText | null;
  append(pieces: readonly LivePiece[]): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
};

export function createLiveTextStore(): LiveTextStore {
  let current: LiveText | null = null;
  const listeners = new Set<() => void>();
  function put(next: LiveText | null): void {
    if (next === current) return;
    current = next;
    for (const listener of listeners) listener();
  }
  return {
    get: () => current,
    append: (pieces) => put(pieces.reduce<LiveText | null>(appended, current)),
    clear: () => put(null),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A piece of another role begins anew: a call of its own. */
function appended(sum: LiveText | null, { role, text, start }: LivePiece): LiveText {
  return sum?.role === role && start !== true ? { role, text: sum.text + text } : { role, text };
}

/** Reads a piece of live text from the JSON of an event; null for anything else. */
export function readLivePiece(json: string): LivePiece | null {
  const piece = parseJson(json);
  if (!isRecord(piece)) return null;
  const role = LIVE_ROLES.find((one) => one === piece.role);
  if (role === undefined || typeof piece.text !== 'string') return null;
  return { role, text: piece.text, ...(piece.start === true && { start: true }) };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const LIVE_ROLES: readonly LiveRole[] = [...MODEL_ROLES, 'turn'];
