import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runShutdownHooks } from '#lib/context/shutdown-hooks.ts';
import { lineStream } from './streams.ts';

/** Emits a line and then waits until it is aborted. */
function endless(seen: { isAborted: boolean }) {
  return async ({ signal, emit }: { signal: AbortSignal; emit: (event: object) => void }) => {
    emit({ text: 'first' });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    seen.isAborted = true;
  };
}

test('ends the response when the app stops', async () => {
  const seen = { isAborted: false };
  const response = lineStream(endless(seen), new AbortController().signal);
  const body = response.text();
  await runShutdownHooks(1_000, () => undefined);
  expect(await Promise.race([body, sleep(1_000, 'still open')])).toBe('{"text":"first"}\n');
  expect(seen.isAborted).toBe(true);
});

test('aborts the work when the client cancels the response', async () => {
  const seen = { isAborted: false };
  const response = lineStream(endless(seen), new AbortController().signal);
  await response.body?.cancel();
  await expect.poll(() => seen.isAborted).toBe(true);
});

test('ends the response after the work, with all its events', async () => {
  const work = async ({ emit }: { emit: (event: object) => void }) => {
    emit({ text: 'first' });
    emit({ text: 'last' });
  };
  expect(await lineStream(work, new AbortController().signal).text()).toBe('{"text":"first"}\n{"text":"last"}\n');
});
