import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkTypes, installTypescriptSdk, run } from './packages.ts';
import { type SampleCall, sampleCalls } from './sample-call.ts';
import { startScriptedHone } from './scripted-hone.ts';

let folder: string;
beforeAll(async () => {
  folder = await installTypescriptSdk();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls an operation, and compares its response with what the server sends and with its type. */
function statementOf({ operation, path, body, query, expected }: SampleCall): string {
  const { id, response } = operation;
  const sent = [...path, ...(body === undefined ? [] : [body]), ...(Object.keys(query).length === 0 ? [] : [query])];
  const call = `hone.api.${id}(${sent.map((value) => JSON.stringify(value)).join(', ')})`;
  const value = JSON.stringify(expected);
  switch (response.kind) {
    case 'json':
      return `{ const value: sdk.${response.type} = ${value}; same('${id}', await ${call}, value); }`;
    case 'lines':
      return `{ const value: sdk.${response.type} = ${value}; same('${id}', await all(${call}), [value, value]); }`;
    case 'events':
      return `same('${id}', await all(${call}), [{ id: '1', event: 'evaluated', data: ${value} }]);`;
    case 'file':
      return `same('${id}', await (await ${call}).text(), ${value});`;
  }
}

const PROGRAM = `import { deepEqual } from 'node:assert/strict';
import type * as sdk from 'hone-sdk';
import { Hone } from 'hone-sdk';

const hone = new Hone();
const same = <Value>(id: string, got: Value, expected: Value) => deepEqual(got, expected, id);
async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
${sampleCalls.map(statementOf).join('\n')}
`;

test('every operation takes its parameters and returns its type', { timeout: 60_000 }, async () => {
  const server = await startScriptedHone();
  writeFileSync(path.join(folder, 'contract.ts'), PROGRAM);
  await checkTypes('contract.ts', folder);
  await run(process.execPath, ['contract.ts'], folder, { HONE_URL: server.address });
  server.close();
  expect(server.faults).toEqual([]);
  expect([...server.called].toSorted()).toEqual(sampleCalls.map(({ operation }) => operation.id));
});
