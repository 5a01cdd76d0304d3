import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepRecent } from '#lib/core/caches.ts';
import { threadPool } from '#lib/system/thread-pool.ts';
import { type JsonSchema, schemaLimitProblem } from './schema-limits.ts';

/** A request to the thread that checks JSON schemas. */
export type SchemaRequest = {
  /** As JSON. */
  schema: string;
  /** Output to parse as JSON and validate. Null to only check that the schema is usable. */
  output: string | null;
  /** Name of the validated value in fault messages. */
  whole: string;
};

/** `problem` is the end of a sentence about the schema ("refers to …"). `reason` and `faults` are full sentences. */
export type SchemaCheckResult =
  | { type: 'unusable'; problem: string }
  | { type: 'unchecked'; reason: string }
  | { type: 'not_json'; problem: string }
  /** `faults` contains the first of `count` faults. Empty if the value matches, or if only the schema was checked. */
  | { type: 'checked'; faults: string[]; count: number };

/** Maximum number of faults that are described. */
export const MAX_SCHEMA_FAULTS = 10;

const runSchemaWorker = threadPool<SchemaRequest, SchemaCheckResult>({
  file: path.join(path.dirname(fileURLToPath(import.meta.url)), 'schema-worker.ts'),
  most: 2,
  // The thread times out after 7 s if its work is interruptible.
  timeoutMs: 9_000,
  memoryMb: 256,
});

/** Cache of recently checked schemas by SHA-256, because settings are validated on every save. */
const known = new Map<string, string | null>();
const MAX_CACHED_SCHEMAS = 1_000;

/** Returns why a schema can't be used, as the end of a sentence ("refers to …"), or null if it can. Runs in a thread. */
export async function schemaProblem(schema: JsonSchema): Promise<string | null> {
  const limit = schemaLimitProblem(schema);
  if (limit !== null) return limit;
  const text = JSON.stringify(schema);
  const key = createHash('sha256').update(text).digest('base64');
  const before = known.get(key);
  if (before !== undefined) return before;
  const outcome = await runSchemaWorker({ schema: text, output: null, whole: '' });
  if (outcome.type !== 'answered') return formatThreadFailure(outcome);
  const problem = outcome.answer.type === 'unusable' ? outcome.answer.problem : null;
  return keepRecent(known, key, problem, MAX_CACHED_SCHEMAS);
}

/** Validates an output as JSON against a schema, in a thread. `whole` is the name of the value itself in fault messages. */
export async function checkSchema(schema: JsonSchema, output: string, whole = 'The value'): Promise<SchemaCheckResult> {
  const limit = schemaLimitProblem(schema);
  if (limit !== null) return { type: 'unusable', problem: limit };
  const outcome = await runSchemaWorker({ schema: JSON.stringify(schema), output, whole });
  return outcome.type === 'answered' ? outcome.answer : { type: 'unusable', problem: formatThreadFailure(outcome) };
}

function formatThreadFailure(
  outcome: { type: 'out_of_time' | 'out_of_memory' } | { type: 'broken'; message: string },
): string {
  if (outcome.type === 'broken') return `could not be read: ${outcome.message.slice(0, 200)}`;
  const what = outcome.type === 'out_of_time' ? 'long' : 'much memory';
  return `takes too ${what} to read. Make it smaller, or split it into several criteria`;
}
