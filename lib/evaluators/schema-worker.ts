import { parentPort } from 'node:worker_threads';
import type { ErrorObject } from 'ajv';
import { MAX_SCHEMA_FAULTS, type SchemaCheckResult, type SchemaRequest } from './check-schema.ts';
import { compileSchema } from './compile-schema.ts';
import { readJsonOutput } from './read-json-output.ts';

/** Formats a fault as `/items/0/price must be number`, with the expected value if it is short. `whole` is the name of the value itself. */
function schemaFault({ instancePath, message, params }: ErrorObject, whole: string): string {
  const pointer = instancePath === '' ? whole : cut(instancePath);
  const named: unknown =
    params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues ?? params.allowedValue;
  const detail = named === undefined ? '' : `: ${cut(JSON.stringify(named))}`;
  return `${pointer} ${cut(message ?? 'does not fit')}${detail}`.toWellFormed();
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Thread that compiles untrusted JSON schemas and validates values with them. */
parentPort?.on('message', (request: SchemaRequest) => {
  parentPort?.postMessage('begun');
  parentPort?.postMessage(handleRequest(request));
});

/** Length above which only the first fault of an output is searched. */
const LONG_OUTPUT = 200_000;

function handleRequest({ schema, output, whole }: SchemaRequest): SchemaCheckResult {
  const compiled = compileSchema(schema, output === null || output.length <= LONG_OUTPUT);
  if (!compiled.ok) return { type: 'unusable', problem: compiled.problem };
  if (output === null) {
    const tried = compiled.check(null);
    return tried.ok
      ? { type: 'checked', faults: [], count: 0 }
      : { type: 'unusable', problem: `cannot be used: ${tried.reason}` };
  }
  const read = readJsonOutput(output);
  if (!read.ok) return { type: 'not_json', problem: read.problem };
  const checked = compiled.check(read.value);
  if (!checked.ok) return { type: 'unchecked', reason: checked.reason };
  const faults = new Set(checked.errors.map((error) => schemaFault(error, whole)));
  return { type: 'checked', faults: [...faults].slice(0, MAX_SCHEMA_FAULTS), count: faults.size };
}
