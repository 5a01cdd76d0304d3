import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { logBug } from '#lib/http/log-bug.ts';
import type { ProofEvent } from '#lib/prompts/evaluation-schema.ts';

const HEADERS = {
  'Content-Type': 'application/x-ndjson; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};
/** An empty line now and then shows that somebody still works, and finds out who has left. */
const HEARTBEAT_MS = 15_000;

type Prove = (options: { signal: AbortSignal; emit: (event: ProofEvent) => void }) => Promise<void>;

/**
 * A proof as an HTTP answer, one event a line. It is called off with the client and with the app; a stream that ends without an `end`
 * broke, and what it had kept stays.
 */
export function proofStream(prove: Prove, requestSignal: AbortSignal): Response {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (line: string) => {
        if (!leaving.signal.aborted) controller.enqueue(encoder.encode(line));
      };
      const heartbeat = setInterval(() => send('\n'), HEARTBEAT_MS);
      const work = prove({ signal: leaving.signal, emit: (event) => send(`${JSON.stringify(event)}\n`) });
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
