import { z } from 'zod';
import { parseJson } from './json-values.ts';
import type { ModelFailure, ModelOutcome, ModelRequest } from './model-request.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfCall } from './spend.ts';
import type { Spend } from './token-usage.ts';

/** One vector per text, all of the same length, or the reason for the failure. */
export type EmbedOutcome =
  | { ok: true; vectors: number[][]; spend: Spend }
  | { ok: false; failure: ModelFailure; spend: Spend };

/**
 * Returns a request to an embedding model for the vectors of texts. It has the form of any other call, so that it is stored, limited and
 * billed the same way. The prompt contains the texts as a JSON array, the text of the response contains the vectors.
 */
export function embeddingRequest(texts: string[]): Omit<ModelRequest, 'ordinal' | 'model'> {
  return {
    role: 'embed',
    instructions: '',
    prompt: JSON.stringify(texts),
    temperature: null,
    maxOutputTokens: null,
    output: null,
  };
}

/** True if lessons are recalled by vectors of an embedding model. */
export function isRecallingByMeaning({ lessons }: Pick<ExperimentSettings, 'lessons'>): boolean {
  return lessons.store === 'recall' && lessons.embeddings !== null;
}

const textsSchema = z.array(z.string());
const vectorsSchema = z.array(z.array(z.number()));

/** Parses the texts of an embedding call. Throws for a prompt that `embeddingRequest` did not create. */
export function textsToEmbed(prompt: string): string[] {
  return textsSchema.parse(JSON.parse(prompt));
}

/** Formats vectors as the text of a response, each number with seven significant digits. */
export function vectorsText(vectors: number[][]): string {
  return JSON.stringify(vectors.map((vector) => vector.map((value) => Number(value.toPrecision(7)))));
}

/** Parses the outcome of an embedding call for `count` texts. Another number of vectors, or vectors of different lengths, is a failure. */
export function readEmbeddings(outcome: ModelOutcome, count: number): EmbedOutcome {
  const spend = spendOfCall(outcome);
  if (!outcome.ok) return { ok: false, failure: outcome.failure, spend };
  const vectors = vectorsSchema.safeParse(parseJson(outcome.reply.text)).data ?? [];
  const [first] = vectors;
  const even = first !== undefined && first.length > 0 && vectors.every((vector) => vector.length === first.length);
  if (even && vectors.length === count) return { ok: true, vectors, spend };
  const { attempts, latencyMs, tokenUsage, costUsd } = outcome.reply;
  const failure: ModelFailure = {
    kind: 'malformed',
    message: `The embedding model returned ${vectors.length} vectors that do not match the ${count} texts.`,
    remedy: 'Check that the model named under embeddingModel is an embedding model.',
    status: null,
    attempts,
    latencyMs,
    tokenUsage,
    costUsd,
  };
  return { ok: false, failure, spend };
}
