import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadPool } from '#lib/system/thread-pool.ts';

/** Request to the sandbox: run `code`, then `evaluate` with the JSON text `argument`. Null only checks that `evaluate` exists. */
export type JavascriptRequest = { code: string; argument: string | null };

/**
 * Result of a request. `json` is the return value of `evaluate` as JSON, with non-finite numbers as {"notFinite": "NaN"}. It is null if the
 * value cannot be represented in JSON. Messages have at most 2,000 characters.
 */
export type JavascriptResult =
  | { type: 'returned'; json: string | null }
  | { type: 'checked' }
  | { type: 'no_function' }
  | { type: 'syntax_error'; message: string; line: number | null }
  | { type: 'threw'; message: string }
  | { type: 'too_large' }
  | { type: 'out_of_time' }
  | { type: 'out_of_memory' }
  | { type: 'broken'; message: string };

/** Maximum run time of a function, in milliseconds. */
export const JAVASCRIPT_TIME_MS = 1_000;
/** Maximum memory of a function, in bytes. */
export const JAVASCRIPT_MEMORY_BYTES = 64 * 1024 * 1024;
/** Maximum length of its return value as JSON, in characters. */
export const JAVASCRIPT_RETURN_LENGTH = 100_000;

const runJavascriptWorker = threadPool<JavascriptRequest, JavascriptResult>({
  file: path.join(path.dirname(fileURLToPath(import.meta.url)), 'javascript-worker.ts'),
  most: 2,
  // Native loops of the interpreter cannot be interrupted from inside.
  timeoutMs: JAVASCRIPT_TIME_MS + 2_000,
  memoryMb: 128,
  isUsable: ({ type }) => type !== 'broken',
});

/**
 * Runs a user's JavaScript in a sandbox: QuickJS in WASM, without network, files, process, clock or randomness. It runs in a thread that
 * can be terminated, so it cannot block this one. Never rejects. Requests wait for a free thread.
 */
export async function runJavascript(request: JavascriptRequest): Promise<JavascriptResult> {
  const outcome = await runJavascriptWorker(request);
  return outcome.type === 'answered' ? outcome.answer : outcome;
}
