import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadPool } from '#lib/system/thread-pool.ts';

/** What the sandbox is asked: to run `code`, and then its function `evaluate` with the JSON text `argument`; null only looks for the function. */
export type JavascriptRequest = { code: string; argument: string | null };

/**
 * What became of it. `json` is what `evaluate` returned, as JSON with non-finite numbers as {"notFinite": "NaN"}; null when it
 * returned nothing that JSON can hold. Messages are at most 2,000 characters.
 */
export type JavascriptAnswer =
  | { type: 'returned'; json: string | null }
  | { type: 'checked' }
  | { type: 'no_function' }
  | { type: 'syntax_error'; message: string; line: number | null }
  | { type: 'threw'; message: string }
  | { type: 'too_large' }
  | { type: 'out_of_time' }
  | { type: 'out_of_memory' }
  | { type: 'broken'; message: string };

/** How long a function may run, in milliseconds. */
export const JAVASCRIPT_TIME_MS = 1_000;
/** How much memory it may use, in bytes. */
export const JAVASCRIPT_MEMORY_BYTES = 64 * 1024 * 1024;
/** How long what it returns may be, as JSON, in characters. */
export const JAVASCRIPT_RETURN_LENGTH = 100_000;

const ask = threadPool<JavascriptRequest, JavascriptAnswer>({
  file: path.join(path.dirname(fileURLToPath(import.meta.url)), 'javascript-worker.ts'),
  most: 2,
  // Native loops of the interpreter can't be interrupted from within.
  givenUpMs: JAVASCRIPT_TIME_MS + 2_000,
  memoryMb: 128,
  isUsable: ({ type }) => type !== 'broken',
});

/**
 * Runs a person's JavaScript in a sandbox: QuickJS in WASM, without network, files, process, clock or randomness, in a thread
 * that can be ended, so that this one goes on. Never rejects; jobs wait for a free thread.
 */
export async function runJavascript(request: JavascriptRequest): Promise<JavascriptAnswer> {
  const outcome = await ask(request);
  return outcome.type === 'answered' ? outcome.answer : outcome;
}
