import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { logBug } from '../log/log.ts';

const HEADERS = {
  'Content-Type': 'application/x-ndjson; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};
/** An empty line now and then shows that somebody still works, and finds out who has left. */
const HEARTBEAT_MS = 15_000;

type Work<Event> = (options: { signal: AbortSignal; emit: (event: Event) => void }) => Promise<void>;

/** Work as an HTTP answer, one event a line. It is called off with the client and with the app. */
export function lineStream<Event>(perform: Work<Event>, requestSignal: AbortSignal): Response {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
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
          if (!leaving.signal.aborted) controller.close();
        });
    },
    cancel: () => leaving.abort(),
  });
  if (requestSignal.aborted) leaving.abort();
  else requestSignal.addEventListener('abort', () => leaving.abort(), { once: true });
  return new Response(body, { headers: HEADERS });
}
