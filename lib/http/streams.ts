import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { type EventFeed, RETRY_FRAME } from '#lib/live/event-feed.ts';
import { logBug } from '../log/log.ts';
import type { RouteContext } from './define-route.ts';

const HEADERS = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };
/** Interval of empty lines that keep the connection alive and detect disconnected clients. */
const HEARTBEAT_MS = 15_000;

type Work<Event> = (options: { signal: AbortSignal; emit: (event: Event) => void }) => Promise<void>;

/**
 * Streams the events of some work as a response, one per line. The work is aborted when the client disconnects or loses access, or the app
 * stops.
 */
export async function lineStream<Event>(
  perform: Work<Event>,
  { request, watchAccess }: Pick<RouteContext, 'request' | 'watchAccess'>,
): Promise<Response> {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
  const stopWatching = await watchAccess(() => leaving.abort());
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (line: string) => {
        if (!leaving.signal.aborted) controller.enqueue(encoder.encode(line));
      };
      const heartbeat = setInterval(() => send('\n'), HEARTBEAT_MS);
      const work = perform({ signal: leaving.signal, emit: (event) => send(`${JSON.stringify(event)}\n`) });
      const unregister = onShutdown(async () => {
        leaving.abort();
        await work.catch(() => undefined);
      });
      work
        .catch((error: unknown) => {
          logBug(error);
        })
        .finally(() => {
          clearInterval(heartbeat);
          stopWatching();
          unregister();
          if (!isCancelled) controller.close();
        });
    },
    cancel: () => {
      isCancelled = true;
      leaving.abort();
    },
  });
  if (request.signal.aborted) leaving.abort();
  else request.signal.addEventListener('abort', () => leaving.abort(), { once: true });
  return new Response(body, { headers: { ...HEADERS, 'Content-Type': 'application/x-ndjson; charset=utf-8' } });
}

/**
 * Returns a feed as an HTTP response. Reads more from the feed only when the client has received the previous data. Ends with the feed, the
 * client or the app, because an open stream would keep the process alive. `onEnd` is called at least once after the end.
 */
export function eventStream(feed: EventFeed, signal: AbortSignal, onEnd: () => void): Response {
  const encoder = new TextEncoder();
  let closed = false;
  const unregister = onShutdown(() => feed.close(), 'streams');
  const close = () => {
    unregister();
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
  return new Response(body, { headers: { ...HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' } });
}

/** Ends the stream after an error such as a lost database. The client reconnects after its retry time and resumes. */
function endAfterBug(error: unknown): null {
  logBug(error);
  return null;
}
