import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runShutdownHooks } from '#lib/context/shutdown-hooks.ts';
import { lineStream } from './streams.ts';

const CALLER = { request: new Request('http://localhost'), watchAccess: async () => () => undefined };

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
  const response = await lineStream(endless(seen), CALLER);
  const body = response.text();
  await runShutdownHooks(1_000, () => undefined);
  expect(await Promise.race([body, sleep(1_000, 'still open')])).toBe('{"text":"first"}\n');
  expect(seen.isAborted).toBe(true);
});

test('aborts the work when the client cancels the response', async () => {
  const seen = { isAborted: false };
  const response = await lineStream(endless(seen), CALLER);
  await response.body?.cancel();
  await expect.poll(() => seen.isAborted).toBe(true);
});

test('ends the response after the work, with all its events', async () => {
  const work = async ({ emit }: { emit: (event: object) => void }) => {
    emit({ text: 'first' });
    emit({ text: 'last' });
  };
  const response = await lineStream(work, CALLER);
  expect(await response.text()).toBe('{"text":"first"}\n{"text":"last"}\n');
});

test('aborts the work and ends the response when the caller loses access', async () => {
  const seen = { isAborted: false };
  const lost = Promise.withResolvers<void>();
  const watchAccess = async (end: () => void) => {
    void lost.promise.then(end);
    return () => undefined;
  };
  const response = await lineStream(endless(seen), { ...CALLER, watchAccess });
  lost.resolve();
  expect(await Promise.race([response.text(), sleep(1_000, 'still open')])).toBe('{"text":"first"}\n');
  expect(seen.isAborted).toBe(true);
});
