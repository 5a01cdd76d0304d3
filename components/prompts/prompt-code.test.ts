import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { NO_OPTIONS, type PromptBody } from '#lib/prompts/prompt.ts';
import { CODE_LANGUAGES, type CodeLanguage, promptCode } from './prompt-code.ts';

const AT = 'http://localhost:3000/api/v1/prompts/support%2Ftriage';
const OPTIONS = promptOptionsSchema.parse({
  tools: [{ name: 'refund' }],
  responseSchema: { name: 'label', schema: { type: 'object' } },
});
const prompt = {
  origin: 'http://localhost:3000',
  name: 'support/triage',
  body: { text: 'Hello {{input}}', ...NO_OPTIONS },
};

test.each(CODE_LANGUAGES)('%s requests the label or the version', (language) => {
  expect(promptCode(language, { ...prompt, by: { label: 'production' } })).toContain(`'${AT}?label=production'`);
  expect(promptCode(language, { ...prompt, by: { version: 7 } })).toContain(`'${AT}?version=7'`);
});

const ASK = '{{role "user"}}\nAnswer {{input}}';
const SYSTEM = '{{role "system"}}\nBe brief.';

/** Prompts, and the result of their generated code for the input "Ada". */
const PROMPTS = [
  { name: 'a text prompt', text: 'Hello {{input}}', made: 'Hello Ada' },
  {
    name: 'a text prompt with spaces in variables',
    text: 'Hello {{ input }} of {{metadata.town}}',
    made: 'Hello Ada of {{metadata.town}}',
  },
  {
    name: 'a text prompt without the input',
    text: 'Be brief.',
    made: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Ada' },
    ],
  },
  {
    name: 'a chat prompt',
    text: `${SYSTEM}\n\n${ASK}`,
    made: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Answer Ada' },
    ],
  },
  {
    name: 'a chat prompt without the input',
    text: SYSTEM,
    made: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Ada' },
    ],
  },
  {
    name: 'a chat prompt with a field of the input before an assistant message',
    text: '{{role "user"}}\nFor {{input.name}}\n{{role "assistant"}}\nYes.',
    made: [
      { role: 'user', content: 'For {{input.name}}' },
      { role: 'assistant', content: 'Yes.' },
    ],
  },
  {
    name: 'a chat prompt with a history',
    text: `${SYSTEM}\n\n{{history}}\n\n{{role "user"}}\nAnswer {{ input }}`,
    made: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'Answer Ada' },
    ],
  },
];

/** Commands that run a generated program with an input and a history and print its result as JSON. */
const RUNS = {
  typescript: {
    command: process.execPath,
    options: ['--input-type=module', '-e'],
    before: "const input = 'Ada';\nconst history = [{ role: 'user', content: 'Hi' }];\n",
    after: (made: string) => `\nconsole.log(JSON.stringify([${made}, tools[0].name, responseSchema.name]));`,
  },
  python: {
    command: 'python3',
    options: ['-c'],
    before: "task = 'Ada'\nhistory = [{'role': 'user', 'content': 'Hi'}]\n",
    after: (made: string) => `\nprint(json.dumps([${made}, tools[0]['name'], response_schema['name']]))`,
  },
};

const commandOf = (language: CodeLanguage) => (language === 'curl' ? 'bash' : RUNS[language].command);
const isMissing = (language: CodeLanguage) => spawnSync(commandOf(language), ['--version']).status !== 0;

/** Runs a generated program against a fake Hone server. Returns its output and the token it sent. */
async function runCode(language: CodeLanguage, body: PromptBody, token: string) {
  const { options, before, after } =
    language === 'curl' ? { options: ['-c'], before: '', after: () => '' } : RUNS[language];
  let authorization: string | undefined;
  const server = createServer((request, response) => {
    ({ authorization } = request.headers);
    const messages = messagesOfPrompt(body.text);
    response.end(JSON.stringify({ ...body, messages, version: 1 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.custom<AddressInfo>().parse(server.address());
  const code = promptCode(language, { origin: `http://127.0.0.1:${port}`, name: 'greet', by: { version: 1 }, body });
  const made = after(code.includes('conversation') ? 'conversation' : 'prompt');
  const env = { ...process.env, HONE_API_TOKEN: token };
  const { stdout } = await promisify(execFile)(commandOf(language), [...options, before + code + made], { env });
  server.close();
  return { stdout, authorization };
}

describe.each(CODE_LANGUAGES)('%s', (language) => {
  test.skipIf(isMissing(language)).each([
    { token: 'hone_x', sent: 'Bearer hone_x' },
    { token: '', sent: undefined },
  ])('sends the token "$token"', async ({ token, sent }) => {
    const { authorization, stdout } = await runCode(language, { text: 'Hello {{input}}', ...OPTIONS }, token);
    expect(authorization).toBe(sent);
    expect(stdout).toContain(language === 'curl' ? 'Hello {{input}}' : 'Hello Ada');
  });
});

describe.each(['typescript', 'python'] as const)('%s', (language) => {
  test.skipIf(isMissing(language)).each(PROMPTS)(
    'fills in $name and reads its tools and response schema',
    async ({ text, made }) => {
      const { stdout } = await runCode(language, { text, ...OPTIONS }, '');
      expect(JSON.parse(stdout)).toEqual([made, 'refund', 'label']);
    },
  );

  test('has no comment if it fills in all variables', () => {
    expect(promptCode(language, { ...prompt, by: { version: 1 } })).not.toContain('Not filled in');
  });
});

test.each([
  [
    'typescript',
    '{{input}} {{metadata.town}} {{ input.name }}',
    '// Not filled in: {{metadata.town}}, {{input.name}}.\n',
  ],
  ['python', `${SYSTEM}\nFor {{metadata.town}}.`, '# Not filled in: {{metadata.town}}.\n'],
] as const)('%s code lists the variables that it does not fill in', (language, text, comment) => {
  expect(promptCode(language, { ...prompt, by: { version: 1 }, body: { text, ...NO_OPTIONS } })).toContain(comment);
});
