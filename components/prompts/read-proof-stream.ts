import { readLines } from '#components/api/read-lines.ts';
import type { ProofEvent } from '#lib/prompts/evaluation-schema.ts';

/** The events of a proof as they come. */
export async function* readProofStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ProofEvent, void> {
  // The page needs no schemas before something runs.
  const { evaluationEventSchema } = await import('#lib/prompts/evaluation-schema.ts');
  yield* readLines(body, evaluationEventSchema);
}
