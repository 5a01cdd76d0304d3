import type { Problem } from '#lib/core/problem.ts';
import { readRefusal } from './call-api.ts';

/**
 * Passes on the events of an API response until it ends. Returns the problem, or null if the last event arrived or the request was aborted.
 * `lost`: message shown if the connection was lost.
 */
export async function followEvents<Event extends { type: string }>(
  request: Promise<Response>,
  { signal, lost, onEvent }: { signal: AbortSignal; lost: string; onEvent: (event: Event) => void },
): Promise<Problem | null> {
  let hasEnded = false;
  try {
    const response = await request;
    if (!response.ok || response.body === null) return await readRefusal(response);
    for await (const event of readLines<Event>(response.body)) {
      if (signal.aborted) return null;
      hasEnded ||= event.type === 'end';
      onEvent(event);
    }
  } catch {
    // A lost connection and an invalid response look the same to the user.
  }
  return hasEnded || signal.aborted ? null : { code: 'unavailable', field: null, message: lost };
}

/**
 * Yields the events of an API response as they arrive, one JSON object per line. Empty lines are keep-alives. Like `readApi`, it does not
 * validate the events, because the API belongs to the same app.
 */
export async function* readLines<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
  }
}

/** Not every browser supports `for await` on a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
