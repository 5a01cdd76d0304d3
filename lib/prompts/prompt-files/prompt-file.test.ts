import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findPromptVersion } from '../queries.ts';
import { importTunedFile, readTunedFile } from './import-prompt-file.ts';
import { readYamlPrompt } from './prompt-file.ts';

const recorded = (name: string) => readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8');
const lines = (...texts: string[]) => texts.join('\n');
const json = (value: unknown) => {
  const { format, versions, notTaken } = unwrap(readTunedFile(JSON.stringify(value)));
  return { format, text: versions[0]?.text, options: versions[0]?.options, notTaken };
};
async function yaml(...file: string[]) {
  const read = await readYamlPrompt(lines(...file));
  if (read === null) throw new Error('not read');
  return unwrap(read);
}

const CHAT = lines(
  '{{role "system"}}',
  'You help customers of {{metadata.company}}.',
  '',
  '{{history}}',
  '',
  '{{role "user"}}',
  '{{input}}',
);

describe('Langfuse', () => {
  test('a text prompt', () => {
    const prompt = 'Write a poem about {{topic}} in {{ language }}.';
    expect(json({ type: 'text', name: 'poem', version: 3, prompt, config: {}, labels: ['production'] })).toMatchObject({
      format: 'langfuse',
      text: 'Write a poem about {{input}} in {{metadata.language}}.',
      notTaken: [],
    });
  });

  test('a chat prompt with a placeholder for messages, and the model and schema of its config', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const tools = [{ type: 'function', function: { name: 'find', description: 'Finds.', parameters: schema } }];
    const config = { model: 'gpt-5', tools, response_format: { json_schema: { name: 'person', schema } } };
    const prompt = [
      { type: 'chatmessage', role: 'system', content: 'You help customers of {{company}}.' },
      { type: 'placeholder', name: 'chat' },
      { type: 'chatmessage', role: 'user', content: '{{question}}' },
    ];
    expect(json({ type: 'chat', name: 'help', version: 1, prompt, config })).toEqual({
      format: 'langfuse',
      text: CHAT,
      options: {
        tools: [{ name: 'find', description: 'Finds.', parameters: schema }],
        responseSchema: { name: 'person', schema },
      },
      notTaken: ['model: Choose models in the setup of the prompt'],
    });
  });
});

describe('LangChain and LangSmith', () => {
  const read = (name: string) => json(JSON.parse(recorded(`langchain-core-1.8.3-${name}`)));

  test('a chat prompt as str.format, with braces that are text', () => {
    const { format, text } = read('chat');
    expect(format).toBe('langchain');
    expect(text).toBe(CHAT.replace('{{metadata.company}}.', '{{metadata.company}}. Answer as {"answer": "..."}.'));
  });

  test('a text prompt', () => {
    expect(read('text').text).toBe('Translate {{input}} to {{metadata.language}}.');
  });

  test('a chat prompt as Mustache', () => {
    expect(read('mustache').text).toContain('Be brief, {{metadata.name}}.');
  });

  test('a message that is no template keeps its braces', () => {
    expect(read('fixed').text).toContain('Write {json} only.');
  });

  test('a prompt with a schema', () => {
    expect(read('structured').options?.responseSchema).toMatchObject({
      name: 'Person',
      schema: { type: 'object', required: ['name'] },
    });
  });

  test('a commit of LangSmith, with its model', () => {
    const prompt: unknown = JSON.parse(recorded('langchain-core-1.8.3-text'));
    const manifest = { lc: 1, id: ['langchain', 'schema', 'runnable', 'RunnableSequence'], kwargs: { first: prompt } };
    expect(json({ commit_hash: 'a1', manifest }).text).toBe('Translate {{input}} to {{metadata.language}}.');
  });

  test('braces around a variable', () => {
    const kwargs = { template: '{{{a}}} and {{b}} and {{{{c}}}}', template_format: 'f-string' };
    expect(json({ lc: 1, type: 'constructor', id: ['PromptTemplate'], kwargs }).text).toBe(
      '{{{input}}} and {b} and {{c}}',
    );
  });
});

describe('OpenAI', () => {
  const messages = [
    { role: 'developer', content: [{ type: 'input_text', text: 'You help customers of {{company}}.' }] },
    { role: 'user', content: '{{question}}' },
  ];
  const text = CHAT.replace('{{history}}\n\n', '');

  test.each([
    ['a request for chat completions', { model: 'gpt-5', messages }],
    ['a request for a response', { instructions: messages[0]?.content[0], input: messages }],
    ['a list of messages', messages],
  ])('%s', (_name, value) => {
    expect(json(value)).toMatchObject({ format: 'openai', text });
  });

  test('instructions and a text, with tools and a format', () => {
    const schema = { type: 'object', properties: {} };
    const request = {
      instructions: 'You help customers of {{company}}.',
      input: '{{question}}',
      tools: [{ type: 'function', name: 'find', parameters: schema, strict: true }, { type: 'web_search' }],
      text: { format: { type: 'json_schema', name: 'person', schema } },
    };
    expect(json(request)).toMatchObject({
      text,
      options: { tools: [{ name: 'find' }], responseSchema: { name: 'person' } },
      notTaken: ['tool 2: name must be a text, got nothing'],
    });
  });

  test.each([
    ['a reference to a stored prompt', { prompt: { id: 'pmpt_1', version: '2' } }, 'without its text'],
    ['a message of a tool', { messages: [{ role: 'tool', content: 'x' }] }, 'message 1 has the role "tool"'],
    [
      'an image',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'message 1 is not only text',
    ],
    [
      'a system message after another',
      { messages: [messages[1], messages[0]] },
      'a system message comes after another message',
    ],
  ])('refuses %s', (_name, value, message) => {
    expect(readTunedFile(JSON.stringify(value))).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining(message) },
    });
  });
});

describe('files with front matter', () => {
  test('Prompty', async () => {
    const { format, text, notTaken } = await yaml(
      ...['---', 'name: Help', 'authors: [ada]', 'model:', '  api: chat', 'sample:', '  company: Acme', '---'],
      ...[
        'system:',
        'You help customers of {{company}}.',
        '',
        '# user:',
        '{{question}}',
        '{% if vip %}Be nice.{% endif %}',
      ],
    );
    expect({ format, text }).toEqual({
      format: 'prompty',
      text: `${CHAT.replace('{{history}}\n\n', '')}\n{% if vip %}Be nice.{% endif %}`,
    });
    expect(notTaken).toEqual([
      'model: Choose models in the setup of the prompt',
      'sample: Import it as a case of a dataset',
      '{% if vip %}: prompts have no logic, filters or helpers. It stays in the text',
      '{% endif %}: prompts have no logic, filters or helpers. It stays in the text',
    ]);
  });

  test('Dotprompt, with roles in the middle of a line', async () => {
    const { format, text, notTaken, responseSchema } = await yaml(
      ...['---', 'model: googleai/gemini-2', 'output:', '  format: json', '  schema:', '    name: string', '---'],
      ...['{{role "system"}}You help customers of {{company}}.', '{{history}}', "{{role 'user'}}{{question}}{{! x }}"],
    );
    expect({ format, text, responseSchema }).toEqual({ format: 'dotprompt', text: CHAT, responseSchema: null });
    expect(notTaken).toEqual([
      'model: Choose models in the setup of the prompt',
      'output.schema: it is not JSON Schema with type object. Enter it as Response schema',
    ]);
  });

  test('Dotprompt without roles, with JSON Schema and helpers', async () => {
    const { text, notTaken, responseSchema } = await yaml(
      ...['---', 'output:', '  schema: {type: object, properties: {a: {type: string}}}', '---'],
      ...['Hi {{user.name}}. {{#if vip}}A{{else}}B{{/if}} {{{raw}}} {{upper name}}'],
    );
    expect(text).toBe('Hi {{input.name}}. {{#if vip}}A{{else}}B{{/if}} {{metadata.raw}} {{upper name}}');
    expect(responseSchema?.schema).toMatchObject({ type: 'object' });
    expect(notTaken.map((one) => one.split(': ')[0])).toEqual(['{{#if vip}}', '{{else}}', '{{/if}}', '{{upper name}}']);
  });

  test('GitHub Models', async () => {
    const { format, text, notTaken } = await yaml(
      ...['name: Help', 'model: openai/gpt-4o', 'messages:', '  - role: system'],
      ...['    content: You help customers of {{company}}.', '  - role: user', "    content: '{{question}}'"],
      ...['testData:', '  - question: hi'],
    );
    expect({ format, text }).toEqual({ format: 'github', text: CHAT.replace('{{history}}\n\n', '') });
    expect(notTaken).toContain('testData: Import it as cases of a dataset');
  });

  test('front matter that is not YAML is refused with its line', async () => {
    expect(await readYamlPrompt('---\na: [\n---\nHi')).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(/front matter of the file is not valid: line \d/) },
    });
  });

  test.each([['{%'], ['{{!--'], ['{#'], ['{{a '], ['{{']])(
    'many %s are read quickly',
    { timeout: 20_000 },
    async (part) => {
      expect((await yaml('---', 'a: 1', '---', part.repeat(20_000))).text.length).toBeGreaterThan(10);
    },
  );
});

describe('hostile files', () => {
  const nested = (name: string) => [`{"${name}":`.repeat(100_000), 1, '}'.repeat(100_000)].join('');
  const NO_TEXT = { toString: 1 };

  test.each<[string, unknown, string]>([
    ['a type that is no text', { type: NO_TEXT, prompt: 'Hi' }, 'no format'],
    [
      'a class that is no text',
      { lc: 1, id: ['ChatPromptTemplate'], kwargs: { messages: [{ id: [NO_TEXT] }] } },
      'message 1 has the role ""',
    ],
  ])('%s is refused', (_, file, message) => {
    expect(readTunedFile(JSON.stringify(file))).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining(message) },
    });
  });

  test('a tool whose name is no text is not imported', () => {
    const file = { messages: [{ role: 'user', content: 'Hi' }], tools: [{ name: NO_TEXT }] };
    expect(json(file).notTaken).toEqual([expect.stringMatching(/^tool 1: name must be a text/)]);
  });

  test.each([
    ['manifests', nested('manifest')],
    ['a role', `{"type": "chat", "prompt": [{"role": ${nested('a')}}]}`],
  ])('%s with many levels are refused', (_, file) => {
    expect(readTunedFile(file)).toMatchObject({
      ok: false,
      problem: { message: 'file is nested deeper than 100 levels.' },
    });
  });

  test('JSON after a byte order mark is read', () => {
    expect(readTunedFile('\uFEFF{"type": "text", "prompt": "Hi"}')).toMatchObject({ value: { format: 'langfuse' } });
  });

  test.each([
    ['an open helper', `{{a${'('.repeat(90_000)}`],
    ['a line of spaces', `${' '.repeat(90_000)}x`],
    ['a role before spaces', `system${' '.repeat(90_000)}x`],
  ])('%s is read in less than a second', async (_, text) => {
    const start = performance.now();
    expect((await yaml('---', 'a: 1', '---', text)).format).toBe('dotprompt');
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test('a text of megabytes is refused before it is converted', async () => {
    expect(await readYamlPrompt(`---\na: 1\n---\n${'{#'.repeat(1_000_000)}`)).toMatchObject({
      ok: false,
      problem: { message: 'file has a prompt of more than 100,000 characters. Shorten it to at most 50,000.' },
    });
  });
});

describe('import', () => {
  const db = useTestDatabase();

  test('stores the text, the tools and the response schema', async () => {
    const context = testContext(db.database());
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const file = JSON.stringify({
      messages: [{ role: 'user', content: 'Who is {{question}}?' }],
      tools: [{ type: 'function', function: { name: 'find', parameters: schema } }],
      response_format: { type: 'json_schema', json_schema: { name: 'person', schema } },
    });
    unwrap(await importTunedFile(context, TESTER, { name: 'from/openai', file }));
    expect(await findPromptVersion(db.database().prisma, 'from/openai', 'newest')).toMatchObject({
      message: 'Imported from OpenAI',
      text: '{{role "user"}}\nWho is {{input}}?',
      tools: [{ name: 'find' }],
      responseSchema: { name: 'person', schema },
    });
  });
});
