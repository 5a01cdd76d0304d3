import { environmentManager, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { useLiveRun } from './use-live-run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Streams opened by the page, oldest first. */
let streams: StreamOfPage[] = [];

class StreamOfPage extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor() {
    super();
    streams.push(this);
  }

  /** Browsers close a stream for good if the response is an error. */
  refuse() {
    this.readyState = StreamOfPage.CLOSED;
    this.onerror?.();
  }

  close() {
    this.readyState = StreamOfPage.CLOSED;
  }
}

test('opens the stream of a run again after an error response, and not after the page was left', async () => {
  streams = [];
  const run = { id: 'run-1', status: 'running', lastEvent: 3 } as RunRecord;
  const client = new QueryClient();
  vi.stubGlobal('EventSource', StreamOfPage);
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('fetch', async () => Response.json(run));
  const { current, act, unmount } = await renderHook(() => useLiveRun(run), queryWrapper(client));
  expect(streams).toHaveLength(1);
  await act(() => streams[0]?.refuse());
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(streams).toHaveLength(2);
  await act(async () => {
    const data = JSON.stringify({ role: 'generate', text: 'Hello' });
    streams[1]?.dispatchEvent(new MessageEvent('text', { data }));
    await vi.advanceTimersByTimeAsync(100);
  });
  expect(current().liveText.get()).toEqual({ role: 'generate', text: 'Hello' });
  await act(() => streams[1]?.refuse());
  await unmount();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(streams).toHaveLength(2);
});

test('reports that the record may be outdated until it can be read again', async () => {
  const isServer = environmentManager.isServer();
  environmentManager.setIsServer(() => false);
  onTestFinished(() => environmentManager.setIsServer(() => isServer));
  const run = { id: 'run-1', status: 'running', lastEvent: 3 } as RunRecord;
  let isDown = true;
  vi.stubGlobal('EventSource', StreamOfPage);
  vi.stubGlobal('fetch', async () => {
    if (isDown) throw new TypeError('fetch failed');
    return Response.json(run);
  });
  const { current, act, unmount } = await renderHook(() => useLiveRun(run), queryWrapper(new QueryClient()));
  expect(current().isOutdated).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(current().isOutdated).toBe(true);
  isDown = false;
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(current().isOutdated).toBe(false);
  await unmount();
});

test('a page that follows a queued run polls until the run has started, because the start stores no event', async () => {
  const isServer = environmentManager.isServer();
  environmentManager.setIsServer(() => false);
  onTestFinished(() => environmentManager.setIsServer(() => isServer));
  streams = [];
  const queued = { id: 'run-1', status: 'queued', lastEvent: 0 } as RunRecord;
  const read = vi.fn(async () => Response.json({ ...queued, status: 'running' }));
  vi.stubGlobal('EventSource', StreamOfPage);
  vi.stubGlobal('fetch', read);
  const { current, act, unmount } = await renderHook(() => useLiveRun(queued), queryWrapper(new QueryClient()));
  await act(() => streams[0]?.onopen?.());
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(current().record.status).toBe('running');
  expect(read).toHaveBeenCalledTimes(1);
  await unmount();
});

/** Changes whether the page is in a background tab. The event bubbles to the window in browsers. */
function setVisibility(visibilityState: 'visible' | 'hidden') {
  Object.assign(document, { visibilityState });
  for (const target of [document, window]) target.dispatchEvent(new Event('visibilitychange'));
}

test.each([
  ['reads its run every 10 seconds while it is under way', 'running', 3],
  ['does not read a run that has ended', 'finished', 0],
])('a hidden page %s, and reads it once when it is shown', async (_name, status, readsWhileHidden) => {
  const isServer = environmentManager.isServer();
  environmentManager.setIsServer(() => false);
  onTestFinished(() => environmentManager.setIsServer(() => isServer));
  const run = { id: 'run-1', status, lastEvent: 3 } as RunRecord;
  const client = new QueryClient();
  const read = vi.fn(async () => Response.json(run));
  vi.stubGlobal('EventSource', StreamOfPage);
  vi.stubGlobal('fetch', read);
  const { act } = await renderHook(() => useLiveRun(run), queryWrapper(client));
  await act(() => setVisibility('hidden'));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(read).toHaveBeenCalledTimes(readsWhileHidden);
  await act(() => setVisibility('visible'));
  expect(read).toHaveBeenCalledTimes(readsWhileHidden + 1);
});
