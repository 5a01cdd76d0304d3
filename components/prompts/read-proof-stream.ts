import type { z } from 'zod';
import { evaluationEventSchema, type ProofEvent } from '#lib/prompts/evaluation-schema.ts';

/** The events of a proof as they come. */
export function readProofStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ProofEvent, void> {
  return readEvents(body, evaluationEventSchema);
}

/** Events as they come, one JSON object a line; empty lines only show that the other side is there. */
export async function* readEvents<Schema extends z.ZodType>(
  body: ReadableStream<Uint8Array>,
  schema: Schema,
): AsyncGenerator<z.output<Schema>, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield schema.parse(JSON.parse(line));
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
