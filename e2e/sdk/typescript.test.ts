import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectSample } from '#components/targets/connect-samples.ts';
import { exportProblems } from '../package/check-exports.ts';
import { checkTypes, installTypescriptSdk, run, tool } from './packages.ts';
import { type SampleCall, sampleCalls } from './sample-call.ts';
import { startScriptedHone } from './scripted-hone.ts';

let folder: string;
beforeAll(async () => {
  folder = await installTypescriptSdk();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns code that calls an operation and compares the response with the expected value and type. */
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

test('every operation accepts its parameters and returns its type', { timeout: 120_000 }, async () => {
  const server = await startScriptedHone();
  writeFileSync(path.join(folder, 'contract.ts'), PROGRAM);
  await checkTypes('contract.ts', folder);
  await run(process.execPath, ['contract.ts'], folder, { HONE_URL: server.address });
  server.close();
  expect(server.faults).toEqual([]);
  expect([...server.called].toSorted()).toEqual(sampleCalls.map(({ operation }) => operation.id));
});

const TESTS = `import { honeCases } from 'hone-sdk/vitest';

const score = (output: string) => Math.min(1, output.length / 10);
const run = ({ input }: { input: string }) => input;
await honeCases('by threshold', { cases: 'cases.jsonl', run, score, threshold: 0.6 });
await honeCases('by mean', { cases: [{ input: '50 %s' }, { input: 'a longer text' }], run, score, mean: 0.7 });
await honeCases('by criteria', {
  cases: { dataset: '11111111-2222-4333-8444-555555555555' },
  run,
  criteria: [{ name: 'clear', evaluator: 'llm' }],
  mean: 0.1,
});
`;

test('the vitest plugin creates a test for each case and for the mean', { timeout: 120_000 }, async () => {
  const server = await startScriptedHone();
  writeFileSync(path.join(folder, 'cases.jsonl'), '\uFEFF{"input": "short"}\n{"input": "a longer text"}\n');
  writeFileSync(path.join(folder, 'cases.test.ts'), TESTS);
  await checkTypes('cases.test.ts', folder);
  const report = path.join(folder, 'report.json');
  const options = ['run', '--root', folder, '--reporter=json', `--outputFile=${report}`];
  await run(process.execPath, [tool('vitest/vitest.mjs'), ...options], folder, { HONE_URL: server.address }).catch(
    () => {},
  );
  server.close();
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const tests: { fullName: string; status: string }[] = testResults[0].assertionResults;
  expect(tests.map(({ fullName, status }) => `${fullName}: ${status}`)).toEqual([
    'by threshold 1. short: failed',
    'by threshold 2. a longer text: passed',
    'by mean 1. 50 %s: passed',
    'by mean 2. a longer text: passed',
    'by mean mean: passed',
    'by criteria 1. text: passed',
    'by criteria mean: failed',
  ]);
  expect(server.faults).toEqual([]);
});

/** Runs a test file of an own folder and returns the titles of the tests that failed. */
async function failedTests(name: string, file: string, ...options: string[]): Promise<string[]> {
  const isolated = path.join(folder, name);
  mkdirSync(isolated, { recursive: true });
  writeFileSync(path.join(isolated, `${name}.test.ts`), file);
  const report = path.join(isolated, 'report.json');
  const command = ['run', '--root', isolated, '--reporter=json', `--outputFile=${report}`, ...options];
  await run(process.execPath, [tool('vitest/vitest.mjs'), ...command], isolated, {}).catch(() => {});
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults[0].assertionResults.filter(({ status }: { status: string }) => status === 'failed');
  return failed.map(({ title }: { title: string }) => title);
}

const MEAN_TEST = `import { honeCases } from 'hone-sdk/vitest';

const score = async (output: string) => {
  if (output === 'bad') await new Promise((resolve) => setTimeout(resolve, 100));
  return output === 'good' ? 1 : 0;
};
const cases = ['good', 'bad', 'bad', 'bad', 'bad', 'bad'].map((input) => ({ input }));
await honeCases('mean of all', { cases, run: ({ input }) => input, score, mean: 0.5 });
`;

test.each(['--sequence.concurrent', '--sequence.shuffle.tests'])(
  'the vitest plugin computes the mean after all cases with %s',
  { timeout: 60_000 },
  async (option) => {
    expect(await failedTests('mean', MEAN_TEST, option, '--sequence.seed=1')).toEqual(['mean']);
  },
);

const RETRY_TEST = `import { honeCases } from 'hone-sdk/vitest';

let tries = 0;
const run = ({ input }: { input: string }) => {
  if (input === 'bad' && tries++ > 0) throw new Error('offline');
  return input;
};
const score = (output: string) => (output === 'good' ? 1 : 0.5);
const cases = ['good', 'bad'].map((input) => ({ input }));
await honeCases('last try', { cases, run, score, threshold: 0.9, mean: 0.9 });
`;

test('the vitest plugin does not count a case whose last try fails', { timeout: 60_000 }, async () => {
  expect(await failedTests('retry', RETRY_TEST, '--retry=1')).toEqual(['2. bad']);
});

test('exports pass publint and attw', () => {
  expect(exportProblems('hone-sdk.tgz', folder)).toBe('');
});

test('the code sample on the targets page passes strict type checking', async () => {
  const myApp = 'declare function myApp(input: string, how: { system: string; signal: AbortSignal }): Promise<string>;';
  writeFileSync(path.join(folder, 'sample.ts'), `${connectSample('typescript', 'my-app')}\n${myApp}\n`);
  await checkTypes('sample.ts', folder);
});
