import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { API } from '#lib/api/routes.ts';
import { openapiDocument } from '#lib/http/openapi-document.ts';
import { pythonFiles, toSync } from './python.ts';
import { readApi } from './read-api.ts';
import { typescriptFiles } from './typescript.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const TYPESCRIPT = 'sdk/typescript/src/generated';
const PYTHON = 'sdk/python/src/hone';

/** Asynchronous code of the Python SDK without a generated synchronous version. */
const WITHOUT_TWIN = ['__init__.py', 'runtime.py'];

/** Returns the generated files of both SDKs by their path in the project. */
export function sdkFiles(): Record<string, string> {
  const api = readApi(openapiDocument(API, ''));
  const { 'types.py': types = '', '_async/api.py': operations = '' } = pythonFiles(api);
  const written = globSync('*.py', { cwd: path.join(PROJECT, PYTHON, '_async') });
  const twins = written.filter((file) => file !== 'api.py' && !WITHOUT_TWIN.includes(file));
  return Object.fromEntries([
    ...Object.entries(typescriptFiles(api)).map(([name, text]) => [`${TYPESCRIPT}/${name}`, format(name, text)]),
    [`${PYTHON}/types.py`, types],
    [`${PYTHON}/_async/api.py`, operations],
    [`${PYTHON}/_sync/api.py`, toSync(operations)],
    ...twins.map((file) => [
      `${PYTHON}/_sync/${file}`,
      toSync(readFileSync(path.join(PROJECT, PYTHON, '_async', file), 'utf8')),
    ]),
  ]);
}

function format(name: string, text: string): string {
  const biome = path.join(PROJECT, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['format', `--stdin-file-path=${name}`];
  return execFileSync(process.execPath, [biome, ...options], { input: text, encoding: 'utf8', cwd: PROJECT });
}
