import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
