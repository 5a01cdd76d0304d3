import type { Operation, Schema } from '../../sdk/generate/read-api.ts';
import { sampleValue } from './sample-value.ts';
import { api, sampleResponse } from './scripted-hone.ts';

/** Call of an operation with every parameter and field, and the response of the fake Hone server. */
export type SampleCall = {
  operation: Operation;
  path: unknown[];
  body: unknown;
  query: Record<string, unknown>;
  expected: unknown;
};

export const sampleCalls: SampleCall[] = api.operations.map((operation) => {
  const { parameters, body } = operation;
  const sample = (schema: Schema) => sampleValue(schema, api.types, 'all');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const file = { type: body?.files[0], content: 'a file' };
  return {
    operation,
    path: parameters.filter((parameter) => parameter.in === 'path').map(({ schema }) => sample(schema)),
    body: body === null ? undefined : body.json === null ? file : sample(api.types[body.json] ?? {}),
    query: Object.fromEntries(inQuery.map(({ name, schema }) => [name, sample(schema)])),
    expected: sampleResponse(operation),
  };
});
