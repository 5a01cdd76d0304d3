import { z } from 'zod';
import type { ModelFailure, ModelOutcome, ModelRequest } from './model-request.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfCall } from './spend.ts';
import type { Spend } from './token-usage.ts';

/** One vector a text, all of one length; or why there are none. */
export type EmbedOutcome =
  | { ok: true; vectors: number[][]; spend: Spend }
  | { ok: false; failure: ModelFailure; spend: Spend };

/**
 * Asks an embedding model for the vectors of texts. It is a call like any other, so that it is kept, limited and paid like one:
 * the prompt holds the texts as a JSON list, the reply's text the vectors.
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

/** The texts of an embedding call. Throws for a prompt that `embeddingRequest` did not make. */
export function textsToEmbed(prompt: string): string[] {
  return textsSchema.parse(JSON.parse(prompt));
}

/** Vectors as the text of a reply, each number to seven digits. */
export function vectorsText(vectors: number[][]): string {
  return JSON.stringify(vectors.map((vector) => vector.map((value) => Number(value.toPrecision(7)))));
}

/** Reads the outcome of an embedding call for `count` texts. Other numbers of vectors, or uneven ones, are a failure. */
export function readEmbeddings(outcome: ModelOutcome, count: number): EmbedOutcome {
  const spend = spendOfCall(outcome);
  if (!outcome.ok) return { ok: false, failure: outcome.failure, spend };
  const vectors = vectorsIn(outcome.reply.text);
  const [first] = vectors;
  const even = first !== undefined && first.length > 0 && vectors.every((vector) => vector.length === first.length);
  if (even && vectors.length === count) return { ok: true, vectors, spend };
  const { attempts, latencyMs, tokenUsage, costUsd } = outcome.reply;
  const failure: ModelFailure = {
    kind: 'malformed',
    message: `The embedding model gave ${vectors.length} vectors that do not fit the ${count} texts it was sent.`,
    remedy: 'Check that the model named under embeddingModel is an embedding model.',
    status: null,
    attempts,
    latencyMs,
    tokenUsage,
    costUsd,
  };
  return { ok: false, failure, spend };
}

function vectorsIn(text: string): number[][] {
  try {
    return vectorsSchema.safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}
