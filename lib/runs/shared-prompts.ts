import { hash } from 'node:crypto';
import { cachedByObject, keepRecent } from '#lib/core/caches.ts';
import type { Database } from '#lib/database/database.ts';
import { type SharedPrompt, sharedEnds } from './stored-texts.ts';

/** The run of a call, with the call's role. */
type CallOrigin = { experimentId: string; experimentVersion: number; runId: string; role: string };

/** The latest call with the same origin, except for the run, and the same instructions. `changes`: number of earlier shared texts. */
type LatestCall = { runId: string; prompt: string; shared: SharedPrompt | null; changes: number };

/** Maximum number of calls that are remembered, and of characters of each. */
const MAX_CALLS = 100;
const MAX_CHARACTERS = 50_000;
/** Minimum length of shared texts. A reference has 16 bytes. */
const MIN_SHARED_LENGTH = 80;
/** Number of changes after which calls share only their instructions, because their prompts have too little in common. */
const MAX_CHANGES = 8;

/**
 * Finds the texts that calls share with calls of other runs of their experiment, so that they are stored once. The first call with
 * instructions is stored in full, because instructions with recalled lessons often occur only once. All parts of a shared text occur in
 * every call that references it, so it contains nothing of other runs.
 */
export class SharedPrompts {
  readonly #latest = new Map<string, LatestCall>();

  /** Returns the text that a call shares. `prompt` is its prompt without quoted outputs. Null if it should be stored in full. */
  find({ experimentId, experimentVersion, runId, role }: CallOrigin, instructions: string, prompt: string) {
    if (instructions.length + prompt.length > MAX_CHARACTERS) return null;
    const key = `${experimentId} ${experimentVersion} ${role} ${instructions}`;
    const before = this.#latest.get(key) ?? null;
    const { shared, changes } = nextShared(before, { experimentId, runId, instructions, prompt });
    keepRecent(this.#latest, key, { runId, prompt, shared: shared ?? before?.shared ?? null, changes }, MAX_CALLS);
    return shared;
  }
}

function nextShared(
  before: LatestCall | null,
  call: { experimentId: string; runId: string; instructions: string; prompt: string },
): Pick<LatestCall, 'shared' | 'changes'> {
  if (before === null) return { shared: null, changes: 0 };
  const { shared, changes } = before;
  if (shared !== null && fits(shared, call.prompt)) return { shared, changes };
  if (before.runId === call.runId) return { shared: null, changes };
  const made = createSharedPrompt(call, changes < MAX_CHANGES ? before.prompt : '');
  return { shared: made, changes: changes + 1 };
}

function fits({ start, end }: SharedPrompt, prompt: string): boolean {
  return prompt.length >= start.length + end.length && prompt.startsWith(start) && prompt.endsWith(end);
}

/** Returns the text that a call shares with an earlier call with this prompt and the same instructions. Null if it is short. */
function createSharedPrompt(
  { experimentId, instructions, prompt }: { experimentId: string; instructions: string; prompt: string },
  earlier: string,
): SharedPrompt | null {
  const [startLength, endLength] = sharedEnds(prompt, earlier);
  const [head, tail] = [prompt.slice(0, startLength), prompt.slice(prompt.length - endLength)];
  // Whole lines, so that a word that two cases happen to share is not included.
  const start = head.slice(0, head.lastIndexOf('\n') + 1);
  const end = tail.includes('\n') ? tail.slice(tail.indexOf('\n')) : '';
  if (instructions.length + start.length + end.length < MIN_SHARED_LENGTH) return null;
  // 128 bits of a SHA-256, as a UUID.
  const id = hash('sha256', JSON.stringify([experimentId, instructions, start, end])).slice(0, 32);
  return { id, instructions, start, end };
}

/** Returns the shared texts of a database that this process knows. */
export const sharedPromptsOf = cachedByObject((_database: Database) => new SharedPrompts());
