import { readLines } from '#components/api/read-lines.ts';
import type { ProofEvent } from '#lib/prompts/evaluation-schema.ts';

/** The events of a proof as they come. */
export function readProofStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ProofEvent, void> {
  return readLines(body);
}
