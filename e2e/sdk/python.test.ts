import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snake, toSync } from '../../sdk/generate/python.ts';
import {
  checkPythonTypes,
  installPythonSdk,
  NO_PYTHON,
  PYTHON_SDK,
  type PythonSdk,
  run,
  systemPython,
} from './packages.ts';
import { type SampleCall, sampleCalls } from './sample-call.ts';
import { startScriptedHone } from './scripted-hone.ts';

if (systemPython === null) console.warn(NO_PYTHON);

let { python, folder, env }: PythonSdk = { python: '', folder: '', env: { PYTHONPATH: '' } };
beforeAll(async () => {
  if (systemPython !== null) ({ python, folder, env } = await installPythonSdk());
}, 180_000);
afterAll(() => {
  if (systemPython !== null) rmSync(folder, { recursive: true, force: true });
});

/** Returns a value as a Python literal. */
function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${literal(inner)}`)
    .join(', ')}}`;
}

/** Returns Python code that calls an operation and compares the response with the expected value and type. */
function statementsOf({ operation, path, body, query, expected }: SampleCall): string[] {
  const { response } = operation;
  const id = snake(operation.id);
  const named = Object.entries(query).map(([name, value]) => `${snake(name)}=${literal(value)}`);
  const sent = [...path.map(literal), ...(body === undefined ? [] : [literal(body)]), ...named].join(', ');
  const call = `hone.api.${id}(${sent})`;
  switch (response.kind) {
    case 'json':
      return [`${id}: t.${response.type} = ${literal(expected)}`, `same(await ${call}, ${id})`];
    case 'lines':
      return [
        `${id}: t.${response.type} = ${literal(expected)}`,
        `same([line async for line in ${call}], [${id}, ${id}])`,
      ];
    case 'events':
      return [`same([(one.id, one.data) async for one in ${call}], [("1", ${literal(expected)})])`];
    case 'file':
      return [`same(await (await ${call}).aread(), ${literal(expected)}.encode())`];
  }
}

const PROGRAM = `import asyncio

from hone import AsyncHone, types as t


def same(got: object, expected: object) -> None:
    assert got == expected, f"{got} is not {expected}"


async def main() -> None:
    async with AsyncHone() as hone:
${sampleCalls
  .flatMap(statementsOf)
  .map((line) => `        ${line}\n`)
  .join('')}
`;

describe.skipIf(systemPython === null)('Python SDK', () => {
  test('passes ruff and mypy', { timeout: 120_000 }, async () => {
    await run(python, ['-m', 'ruff', 'check'], PYTHON_SDK);
    await run(python, ['-m', 'ruff', 'format', '--check'], PYTHON_SDK);
    await checkPythonTypes({ python }, ['src', 'tests'], PYTHON_SDK);
  });

  test('every operation accepts its parameters and returns its type', { timeout: 120_000 }, async () => {
    const programs = {
      'contract_async.py': `${PROGRAM}\nasyncio.run(main())\n`,
      'contract_sync.py': `${toSync(PROGRAM)}\nmain()\n`,
    };
    for (const [file, text] of Object.entries(programs)) writeFileSync(path.join(folder, file), text);
    await checkPythonTypes({ python, env }, Object.keys(programs), folder);
    for (const file of Object.keys(programs)) {
      const server = await startScriptedHone();
      await run(python, [file], folder, { ...env, HONE_URL: server.address });
      server.close();
      expect(server.faults).toEqual([]);
      expect([...server.called].toSorted()).toEqual(sampleCalls.map(({ operation }) => operation.id));
    }
  });

  test('passes its own tests', { timeout: 120_000 }, async () => {
    await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], PYTHON_SDK, env);
  });
});
