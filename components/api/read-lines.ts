import type { z } from 'zod';

/** The events of an answer as they come, one JSON object a line; empty lines only show that the other side is there. */
export async function* readLines<Event extends z.ZodType>(
  body: ReadableStream<Uint8Array>,
  event: Event,
): AsyncGenerator<z.output<Event>, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield event.parse(JSON.parse(line));
  }
}

/** Not every browser lets a stream be gone through by itself. */
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
