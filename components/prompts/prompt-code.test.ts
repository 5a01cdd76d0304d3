import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { NO_OPTIONS, promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { CODE_LANGUAGES, promptCode } from './prompt-code.ts';

const AT = 'http://localhost:3000/api/v1/prompts/support%2Ftriage';
const OPTIONS = promptOptionsSchema.parse({
  tools: [{ name: 'refund' }],
  responseSchema: { name: 'label', schema: { type: 'object' } },
});
const prompt = { origin: 'http://localhost:3000', name: 'support/triage', options: NO_OPTIONS };

test.each(CODE_LANGUAGES)('%s asks for the label or the version', (language) => {
  expect(promptCode(language, { ...prompt, by: { label: 'production' }, options: NO_OPTIONS })).toContain(
    `'${AT}?label=production'`,
  );
  expect(promptCode(language, { ...prompt, by: { version: 7 } })).toContain(`'${AT}?version=7'`);
});

/** How a copied program is run, and what comes before and after it. */
const RUNS = {
  curl: { command: 'bash', options: ['-c'], before: '', after: '' },
  typescript: {
    command: process.execPath,
    options: ['--input-type=module', '-e'],
    before: "const input = 'Ada';\n",
    after: '\nconsole.log(prompt, tools[0].name, responseSchema.name);',
  },
  python: {
    command: 'python3',
    options: ['-c'],
    before: "task = 'Ada'\n",
    after: "\nprint(prompt, tools[0]['name'], response_schema['name'])",
  },
};

test.each(
  CODE_LANGUAGES.flatMap((language) => [
    { language, token: 'hone_x', sent: 'Bearer hone_x' },
    { language, token: '', sent: undefined },
  ]),
)('$language sends the token "$token"', async ({ language, token, sent }) => {
  const { command, options, before, after } = RUNS[language];
  if (spawnSync(command, ['--version']).status !== 0) return;
  let authorization: string | undefined;
  const server = createServer((request, response) => {
    ({ authorization } = request.headers);
    response.end(JSON.stringify({ text: 'Hello {{input}}', version: 1, ...OPTIONS }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.custom<AddressInfo>().parse(server.address());
  const at = { origin: `http://127.0.0.1:${port}`, name: 'greet', by: { version: 1 } };
  const code = promptCode(language, { ...at, options: OPTIONS });
  const env = { ...process.env, HONE_API_TOKEN: token };
  const { stdout } = await promisify(execFile)(command, [...options, before + code + after], { env });
  server.close();
  expect(authorization).toBe(sent);
  expect(stdout).toContain(language === 'curl' ? 'Hello {{input}}' : 'Hello Ada refund label');
});
