import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadPool } from '#lib/system/thread-pool.ts';
import { JAVASCRIPT_TIME_MS, type JavascriptAnswer, type JavascriptRequest } from './javascript-answer.ts';

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
