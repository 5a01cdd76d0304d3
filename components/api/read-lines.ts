/**
 * The events of a response of the API as they come, one JSON object a line. Empty lines only keep the connection open. Like `readApi` it
 * trusts the API of the same app to send what it declares.
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
