import { fetchApi, readRefusal } from '#components/api/call-api.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { ProofEvent } from '#lib/prompts/evaluation-schema.ts';
import { readProofStream } from './read-proof-stream.ts';

/** What is asked for: every text on every case under every model. */
export type ProofRequest = {
  texts: readonly string[];
  models: readonly ModelReference[];
  positions: readonly number[];
  /** Off: only what is kept. */
  pay: boolean;
  again: boolean;
};

/** Asks for a proof and tells of each event. Answers what went wrong, in words; null where it came to its end or was called off. */
export async function fetchProofs(
  name: string,
  { texts, models, positions, pay, again }: ProofRequest,
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: ProofEvent) => void },
): Promise<string | null> {
  let hasEnded = false;
  try {
    const response = await fetchApi('POST /api/v1/prompts/{name}/proofs', {
      params: { name },
      body: { texts: texts.map((text) => ({ text })), models: [...models], positions: [...positions], pay, again },
      signal,
    });
    if (!response.ok || response.body === null) return (await readRefusal(response)).message;
    for await (const event of readProofStream(response.body)) {
      if (signal.aborted) return null;
      hasEnded ||= event.type === 'end';
      onEvent(event);
    }
  } catch {
    // A connection that breaks and an answer that is none are the same to a person.
  }
  if (hasEnded || signal.aborted) return null;
  return 'The connection broke. Every answer that was made is kept: run it again for the rest.';
}
