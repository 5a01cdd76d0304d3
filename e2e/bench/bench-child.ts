import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A Node process of the bench, which was told `options` and has answered `answer`. */
export type BenchChild = { answer: unknown; end(): Promise<void> };

/** Starts a file of this folder as a separate process and waits for its first message. */
export async function startBenchChild(file: string, options: unknown): Promise<BenchChild> {
  const child = fork(path.join(import.meta.dirname, file), [JSON.stringify(options)], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const answer = await firstAnswer(child, file);
  return {
    answer,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** The same for one that does its work, answers and is no longer needed. */
export async function askBenchChild(file: string, options: unknown): Promise<unknown> {
  const child = await startBenchChild(file, options);
  await child.end();
  return child.answer;
}

function firstAnswer(child: ChildProcess, file: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${file} ended (${signal ?? code}) before it answered`)));
  });
}

/** In the child: what it was told. */
export function toldOptions(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** In the child: answers, and lets the process end once nothing is left to do and nobody asks for it. */
export function answerBench(answer: unknown): void {
  process.send?.(answer);
}
