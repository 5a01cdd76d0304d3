import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { type EventFeed, RETRY_FRAME } from '#lib/live/event-feed.ts';
import { logBug } from '#lib/log/log.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * A feed as an HTTP answer. Asks the feed for more only when the client has taken what was sent; ends with the feed, with
 * the client, and with the app: a stream left open would keep the process alive. `onEnd` is called once or more when it has ended.
 */
export function eventStream(feed: EventFeed, signal: AbortSignal, onEnd: () => void): Response {
  const encoder = new TextEncoder();
  let gone = false;
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
      if (!gone) controller.close();
    },
    cancel: () => {
      gone = true;
      close();
    },
  });
  if (signal.aborted) close();
  return new Response(body, { headers: HEADERS });
}

/** Say the database is gone: the client comes back after its retry time and goes on where it was. */
function endAfterBug(error: unknown): null {
  logBug(error);
  return null;
}
