import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadPool } from '#lib/system/thread-pool.ts';
import { type JsonSchema, schemaLimitProblem } from './schema-limits.ts';

/** What a thread is asked of a JSON schema. */
export type SchemaRequest = {
  /** As JSON. */
  schema: string;
  /** An output that is read as JSON and checked; null: only whether the schema can be used. */
  output: string | null;
  /** What the checked value is called in a fault. */
  whole: string;
};

/** `problem` is the end of a sentence about the schema ("refers to …"), `reason` and `fault` stand alone. */
export type SchemaAnswer =
  | { type: 'usable' }
  | { type: 'unusable'; problem: string }
  | { type: 'unchecked'; reason: string }
  | { type: 'not_json'; problem: string }
  /** Without faults where the value fits; `count` is of all faults, `faults` the first ones in words. */
  | { type: 'checked'; faults: string[]; count: number };

/** The most faults that are put in words. */
export const MOST_FAULTS = 10;

const ask = threadPool<SchemaRequest, SchemaAnswer>({
  file: path.join(path.dirname(fileURLToPath(import.meta.url)), 'schema-worker.ts'),
  most: 2,
  // The thread gives up by itself after 7 s, where what it does can be interrupted.
  givenUpMs: 9_000,
  memoryMb: 256,
});

/** The last schemas that were looked at, by their SHA-256: settings are checked at every save. */
const known = new Map<string, string | null>();
const MOST_KNOWN = 1_000;

/** Why a schema can't be used, as the end of a sentence ("refers to …"); null when it can. A thread looks at it. */
export async function schemaProblem(schema: JsonSchema): Promise<string | null> {
  const limit = schemaLimitProblem(schema);
  if (limit !== null) return limit;
  const text = JSON.stringify(schema);
  const key = createHash('sha256').update(text).digest('base64');
  const before = known.get(key);
  if (before !== undefined) return before;
  const outcome = await ask({ schema: text, output: null, whole: '' });
  if (outcome.type !== 'answered') return gaveUp(outcome);
  const problem = outcome.answer.type === 'unusable' ? outcome.answer.problem : null;
  known.set(key, problem);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(oldest);
  }
  return problem;
}

/** What a thread finds of an output that should be JSON of a schema. `whole` names the value itself in a fault. */
export async function checkSchema(schema: JsonSchema, output: string, whole = 'The value'): Promise<SchemaAnswer> {
  const limit = schemaLimitProblem(schema);
  if (limit !== null) return { type: 'unusable', problem: limit };
  const outcome = await ask({ schema: JSON.stringify(schema), output, whole });
  return outcome.type === 'answered' ? outcome.answer : { type: 'unusable', problem: gaveUp(outcome) };
}

function gaveUp(outcome: { type: 'out_of_time' | 'out_of_memory' } | { type: 'broken'; message: string }): string {
  switch (outcome.type) {
    case 'out_of_time':
      return 'takes too long to read. Make it smaller, or split it into several criteria';
    case 'out_of_memory':
      return 'takes too much memory to read. Make it smaller, or split it into several criteria';
    case 'broken':
      return `could not be read: ${outcome.message.slice(0, 200)}`;
  }
}
