import { parentPort } from 'node:worker_threads';
import { compileSchema } from './compile-schema.ts';
import { readJsonOutput } from './read-json-output.ts';
import { MOST_FAULTS, type SchemaAnswer, type SchemaRequest } from './schema-answer.ts';
import { schemaFault } from './schema-fault.ts';

/** The thread that strangers' JSON schemas are compiled and held against values in. */
parentPort?.on('message', (request: SchemaRequest) => {
  parentPort?.postMessage('begun');
  parentPort?.postMessage(answer(request));
});

/** Of longer outputs only the first fault is looked for. */
const LONG_OUTPUT = 200_000;

function answer({ schema, output, whole }: SchemaRequest): SchemaAnswer {
  const compiled = compileSchema(schema, output === null || output.length <= LONG_OUTPUT);
  if (!compiled.ok) return { type: 'unusable', problem: compiled.problem };
  if (output === null) {
    const tried = compiled.check(null);
    return tried.ok ? { type: 'usable' } : { type: 'unusable', problem: `cannot be used: ${tried.reason}` };
  }
  const read = readJsonOutput(output);
  if (!read.ok) return { type: 'not_json', problem: read.problem };
  const checked = compiled.check(read.value);
  if (!checked.ok) return { type: 'unchecked', reason: checked.reason };
  const faults = new Set<string>();
  for (const error of checked.errors) faults.add(schemaFault(error, whole));
  return { type: 'checked', faults: [...faults].slice(0, MOST_FAULTS), count: faults.size };
}
