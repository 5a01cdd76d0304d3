import { hash } from 'node:crypto';
import type { EmbedOutcome } from '#lib/core/embedding-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import type { FindByMeaning } from './recall-lessons.ts';
import { lessonsByIds, newestPromoted, saveLessonVectors } from './recall-queries.ts';

/** Requests vectors. The first call of a recall is 0, the second is 1. */
type EmbedTexts = (call: 0 | 1, texts: string[]) => Promise<EmbedOutcome>;

/** Number of newest lessons compared in addition to those found by words, and number of nearest ones passed to the ranking. */
const COMPARED = 2_000;
const NEAREST = 50;
/** Maximum number of vectors per request. If more lessons have none, later recalls continue. */
const MAX_EMBEDDED_TEXTS = 100;
/** Number of input characters used for its vector. */
const INPUT_LENGTH = 2_000;

/**
 * Compares an input with lessons by embedding: those found by words and the newest ones. A lesson's vector is created at its first
 * comparison and stored. If the model fails, only words are used.
 */
export function findByMeaning(database: Database, model: ModelReference, embed: EmbedTexts): FindByMeaning {
  return async (question, byWords) => {
    const embedded = await embed(0, [question.input.slice(0, INPUT_LENGTH).toWellFormed()]);
    if (!embedded.ok)
      return embedded.failure.kind === 'aborted'
        ? null
        : { candidates: byWords, similarities: new Map(), spend: embedded.spend };
    const wanted = unit(embedded.vectors[0] ?? []);
    const newest = await newestPromoted(database, question, COMPARED);
    const pool = new Map([
      ...byWords.map(({ id, text }) => [id, hash('md5', text)] as const),
      ...newest.map(({ id, hash: hashed }) => [id, hashed] as const),
    ]);
    const vectors = await knownVectors(database, model, pool);
    const without = [...pool.keys()].filter((id) => !vectors.has(id)).slice(0, MAX_EMBEDDED_TEXTS);
    const made = await makeVectors(database, model, embed, without);
    if (made === null) return null;
    for (const [id, vector] of made.vectors) vectors.set(id, cacheVector(model, id, pool.get(id) ?? '', vector));
    const similarities = new Map<string, number>();
    for (const [id, vector] of vectors)
      if (vector.length === wanted.length) similarities.set(id, product(wanted, vector));
    const found = new Set(byWords.map(({ id }) => id));
    const nearest = [...similarities].filter(([id]) => !found.has(id)).sort(([, one], [, other]) => other - one);
    const more = await lessonsByIds(
      database,
      nearest.slice(0, NEAREST).map(([id]) => id),
    );
    return { candidates: [...byWords, ...more], similarities, spend: sumSpend([embedded.spend, made.spend]) };
  };
}

/** Cache of vectors by model, lesson and text, because reading thousands of them for each step is slow. */
const vectorCache = new Map<string, Float32Array>();
/** Approximate memory limit of the cache, and overhead per vector. */
const MAX_VECTOR_CACHE_BYTES = 32_000_000;
const VECTOR_OVERHEAD_BYTES = 300;
let vectorCacheBytes = 0;

/** Returns the cached and the stored vectors of lessons, by id. Lessons without one are left out. */
async function knownVectors(
  database: Database,
  model: ModelReference,
  pool: ReadonlyMap<string, string>,
): Promise<Map<string, Float32Array>> {
  const vectors = new Map<string, Float32Array>();
  for (const [id, text] of pool) {
    const vector = vectorCache.get(keyOf(model, id, text));
    if (vector !== undefined) vectors.set(id, vector);
  }
  const others = [...pool.keys()].filter((id) => !vectors.has(id));
  if (others.length === 0) return vectors;
  const stored = await database.prisma.lessonEmbedding.findMany({
    where: { lessonId: { in: others }, provider: model.provider, model: model.model },
    select: { lessonId: true, vector: true },
  });
  for (const { lessonId: id, vector } of stored) vectors.set(id, cacheVector(model, id, pool.get(id) ?? '', vector));
  return vectors;
}

async function makeVectors(database: Database, model: ModelReference, embed: EmbedTexts, ids: string[]) {
  const lessons = await lessonsByIds(database, ids);
  if (lessons.length === 0) return { vectors: [], spend: NO_SPEND };
  const answered = await embed(
    1,
    lessons.map(({ foundBy }) => foundBy),
  );
  if (!answered.ok) return answered.failure.kind === 'aborted' ? null : { vectors: [], spend: answered.spend };
  const made = lessons.map(({ id, text }, position) => ({ id, text, vector: answered.vectors[position] ?? [] }));
  await saveLessonVectors(database, model, made);
  return { vectors: made.map(({ id, vector }) => [id, vector] as const), spend: answered.spend };
}

function cacheVector(model: ModelReference, id: string, text: string, vector: number[]): Float32Array {
  const normalized = unit(vector);
  const key = keyOf(model, id, text);
  evictVector(key);
  vectorCache.set(key, normalized);
  vectorCacheBytes += bytesOf(normalized);
  for (const oldest of vectorCache.keys()) {
    if (vectorCacheBytes <= MAX_VECTOR_CACHE_BYTES) break;
    evictVector(oldest);
  }
  return normalized;
}

function evictVector(key: string): void {
  const vector = vectorCache.get(key);
  if (vector === undefined) return;
  vectorCache.delete(key);
  vectorCacheBytes -= bytesOf(vector);
}

function bytesOf({ byteLength }: Float32Array): number {
  return byteLength + VECTOR_OVERHEAD_BYTES;
}

/** Normalizes a vector to length 1, so that the dot product of two is their cosine. */
function unit(vector: number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function keyOf({ provider, model }: ModelReference, id: string, text: string): string {
  return JSON.stringify([provider, model, id, text]);
}
