import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A Node process of the benchmark. `answer` is its first message. */
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

/** Starts a child process, waits for its result and ends it. */
export async function runBenchChild(file: string, options: unknown): Promise<unknown> {
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

/** In the child: returns the options passed by the parent. */
export function readOptions(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** In the child: sends the result. The process exits when it has no work left and the parent disconnects. */
export function sendResult(answer: unknown): void {
  process.send?.(answer);
}

/** In the child: serves on a free loopback port, reports it as `port`, and exits with the bench. */
export async function serveBench(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  sendResult({ port: address.port });
  process.once('disconnect', () => process.exit(0));
}

/** Reads the body of a request and returns it `latencyMs` after the request arrived. */
export async function readAfter(request: IncomingMessage, latencyMs: number): Promise<Buffer> {
  const arrivedMs = performance.now();
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const leftMs = latencyMs - (performance.now() - arrivedMs);
  if (leftMs > 0) await sleep(leftMs);
  return Buffer.concat(pieces);
}
