import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { type EventFeed, RETRY_FRAME } from '#lib/live/event-feed.ts';
import { logBug } from '#lib/log/log.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Returns a feed as an HTTP response. Reads more from the feed only when the client has received the previous data. Ends with the feed, the
 * client or the app, because an open stream would keep the process alive. `onEnd` is called at least once after the end.
 */
export function eventStream(feed: EventFeed, signal: AbortSignal, onEnd: () => void): Response {
  const encoder = new TextEncoder();
  let closed = false;
  const forget = onShutdown(() => feed.close(), 'streams');
  const close = () => {
    forget();
    onEnd();
    feed.close();
  };
  signal.addEventListener('abort', close, { once: true });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(RETRY_FRAME)),
    pull: async (controller) => {
      const frames = await feed.next().catch(endAfterBug);
      if (frames !== null) return controller.enqueue(encoder.encode(frames));
      close();
      signal.removeEventListener('abort', close);
      if (!closed) controller.close();
    },
    cancel: () => {
      closed = true;
      close();
    },
  });
  if (signal.aborted) close();
  return new Response(body, { headers: HEADERS });
}

/** Ends the stream after an error such as a lost database. The client reconnects after its retry time and resumes. */
function endAfterBug(error: unknown): null {
  logBug(error);
  return null;
}
