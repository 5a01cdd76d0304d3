import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { logBug } from '../log/log.ts';

const HEADERS = {
  'Content-Type': 'application/x-ndjson; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};
/** Interval of empty lines that keep the connection alive and detect disconnected clients. */
const HEARTBEAT_MS = 15_000;

type Work<Event> = (options: { signal: AbortSignal; emit: (event: Event) => void }) => Promise<void>;

/** Streams the events of some work as a response, one per line. The work is aborted when the client disconnects or the app stops. */
export function lineStream<Event>(perform: Work<Event>, requestSignal: AbortSignal): Response {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (line: string) => {
        if (!leaving.signal.aborted) controller.enqueue(encoder.encode(line));
      };
      const heartbeat = setInterval(() => send('\n'), HEARTBEAT_MS);
      const work = perform({ signal: leaving.signal, emit: (event) => send(`${JSON.stringify(event)}\n`) });
      const forget = onShutdown(async () => {
        leaving.abort();
        await work.catch(() => undefined);
      });
      work
        .catch((error: unknown) => {
          logBug(error);
        })
        .finally(() => {
          clearInterval(heartbeat);
          forget();
          if (!isCancelled) controller.close();
        });
    },
    cancel: () => {
      isCancelled = true;
      leaving.abort();
    },
  });
  if (requestSignal.aborted) leaving.abort();
  else requestSignal.addEventListener('abort', () => leaving.abort(), { once: true });
  return new Response(body, { headers: HEADERS });
}
